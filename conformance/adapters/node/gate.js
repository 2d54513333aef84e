// The one gate: whether a record may be used, for a purpose, in a context, at a moment.

import {CONDITION_KEYS, DEFAULTED_KEYS} from './constants.js';

const RUNTIME_KEYS = ['targetOs', 'shell', 'runtime', 'machine'];

// The value of a condition key: the request's own context, the routed one, then the defaults.
function actual(key, world, requested) {
  if (requested && Object.hasOwn(requested, key)) return requested[key];
  if (key === 'projectRoot') return world.project.confirmed ? world.project.root : undefined;
  const routed = RUNTIME_KEYS.includes(key) ? world.runtime : world.context;
  if (Object.hasOwn(routed, key)) return routed[key];
  return DEFAULTED_KEYS.includes(key) ? world.defaults[key] : undefined; // LM-2.17
}

const segments = (path) => path.replaceAll('\\', '/').split('/').filter((part) => part && part !== '.');

function holds(key, wanted, found) {
  if (key === 'pathPrefix') {
    const prefix = segments(wanted);
    const parts = segments(found);
    return prefix.every((part, place) => part === parts[place]);
  }
  if (key === 'projectRoot') return segments(wanted).join('/') === segments(found).join('/');
  if (key === 'targetOs' || key === 'shell') return wanted.toLowerCase() === found.toLowerCase();
  return wanted === found;
}

export function condition({key, value}, world, requested) {
  if (!CONDITION_KEYS.has(key)) return 'needs_context'; // LM-5.23
  const wanted = Array.isArray(value) ? value : [value];
  const readable = wanted.length > 0 && wanted.every((one) => typeof one === 'string' && one !== '');
  if (!readable) return 'needs_context'; // LM-5.27
  const found = actual(key, world, requested);
  if (typeof found !== 'string') return 'needs_context'; // LM-1.19, LM-5.7
  return wanted.some((one) => holds(key, one, found)) ? 'ok' : 'not_applicable'; // LM-1.20
}

export function statusOf(record, world, requested) {
  const conditions = record.conditions ?? [];
  const said = conditions.map((one) => condition(one, world, requested));
  const {applicability} = record;
  const known = [undefined, 'all_in_scope', 'conditional', 'unresolved'].includes(applicability);
  if (applicability === 'unresolved' || !known) return 'needs_context'; // LM-5.16, LM-5.28
  if (said.includes('not_applicable')) return 'not_applicable'; // LM-5.17
  if (said.includes('needs_context')) return 'needs_context';
  if (applicability === 'conditional' && said.length === 0) return 'needs_context'; // LM-5.18
  return 'ok'; // LM-4.20
}

function learned(record, world) {
  const learning = record.learning ?? {};
  if (world.runtime.experimental === false) return 'not_applicable'; // LM-1.11
  if (learning.state === 'trial') {
    if (!Number.isInteger(learning.trialUntil)) return 'needs_context';
    if (world.clock.now >= learning.trialUntil) return 'not_applicable'; // LM-1.13
  } else if (learning.state !== 'active') {
    const known = ['pending', 'paused'].includes(learning.state); // LM-1.12
    return known ? 'not_applicable' : 'needs_context';
  }
  if (learning.paused || learning.blockedReason) return 'not_applicable'; // LM-1.14, LM-1.15
  return 'ok';
}

export function eligibility(record, world, purpose, requested) {
  if (!record || record.status === 'archived') return 'gone'; // LM-1.3, LM-1.4
  const owner = record.ownerProjectId;
  if (owner !== undefined && owner !== null) {
    if (!world.project.confirmed) return 'needs_context'; // LM-1.33
    if (owner !== world.project.id) return 'needs_context'; // LM-1.6, LM-1.32
  }
  if (record.origin === 'project_evolution') { // LM-1.10
    if (purpose === 'inject' || purpose === 'save') return 'not_applicable'; // LM-2.10, LM-7.25
    if (purpose === 'experiment' && !world.project.confirmed) return 'needs_context'; // LM-7.6
    if (purpose !== 'forget') {
      const said = learned(record, world);
      if (said !== 'ok') return said;
    }
  } else if (purpose === 'experiment') {
    return 'not_applicable';
  }
  const automatic = purpose === 'inject' || purpose === 'experiment';
  if (automatic && record.reviewState === 'legacy_unreviewed') return 'not_applicable'; // LM-1.16
  if (purpose === 'save' || purpose === 'forget') return 'ok'; // LM-1.39
  return statusOf(record, world, requested); // LM-1.18
}
