// memory_save: arguments, routing, duplicates, slots, limits; all judged under the lock.

import crypto from 'node:crypto';

import {
  APPLICABILITIES, CONDITION_KEYS, HARD_ENTRIES, ID, MAX_BODY_BYTES, MAX_CANDIDATES,
  MAX_CONDITIONS, MAX_LAYER_BYTES, SIMILARITY_PERCENT, bytes,
} from './constants.js';
import {eligibility} from './gate.js';
import {SCOPE_NOTES, evicted, message} from './messages.js';
import {route} from './routing.js';
import {closeness} from './words.js';

const TEXT_FIELDS = ['title', 'summary', 'when', 'body', 'topicKey', 'kind', 'memoryClass', 'evidenceRef'];
const FIELDS = [...TEXT_FIELDS, 'conditions', 'applicability'];

export const refuse = (reason, more = {}, code = reason) =>
  ({changed: false, id: '', reason, ...more, message: message(code)});

export function save(world, session, args) {
  if (world.switches.memory === 'off') return refuse('memory_disabled', {needsScope: true}); // LM-8.2
  const wrong = faulty(args);
  if (wrong) return refuse(wrong);
  return args.id === undefined ? create(world, args) : update(world, args);
}

// LM-4.55, LM-5.1, LM-5.3, LM-5.8, LM-5.10, LM-5.26: nothing is repaired, all is refused.
function faulty(args) {
  if (typeof args.body === 'string' && bytes(args.body) > MAX_BODY_BYTES) return 'body_too_large';
  if (TEXT_FIELDS.some((key) => key in args && typeof args[key] !== 'string')) return 'invalid_arguments';
  const conditions = args.conditions ?? [];
  if (!Array.isArray(conditions) || args.conditions === null) return 'invalid_arguments';
  if (conditions.length > MAX_CONDITIONS || !conditions.every(sound)) return 'invalid_arguments';
  if ('applicability' in args && !APPLICABILITIES.includes(args.applicability)) return 'invalid_arguments';
  if (args.id === undefined && !(args.title && args.body)) return 'invalid_arguments';
  return contradictory(args) && (args.id === undefined || 'conditions' in args) ? 'invalid_arguments' : undefined;
}

function contradictory({applicability, conditions = []}) {
  if (applicability === 'conditional') return conditions.length === 0;
  return applicability === 'all_in_scope' && conditions.length > 0;
}

function sound(one) {
  const values = Array.isArray(one?.value) ? one.value : [one?.value];
  return CONDITION_KEYS.has(one?.key) && values.length > 0
    && values.every((value) => typeof value === 'string' && value !== '');
}

function create(world, args) {
  const {layer, note} = route(args);
  const noted = note && world.project.confirmed ? {scopeNote: SCOPE_NOTES[note]} : {};
  if (!world.project.confirmed && (args.scope !== 'global' || layer !== 'global')) { // LM-5.24
    return refuse('needs_context', {needsScope: true}, 'needs_scope');
  }
  const scope = world.scopeOf(layer);
  return world.store.transact(scope, (state) => {
    const asked = duplicates(world, args, state, scope);
    if (asked) return {write: false, result: asked};
    const record = {
      id: `mem_${crypto.randomBytes(10).toString('hex')}`,
      layer, title: '', summary: '', when: '', body: '', status: 'active', origin: 'user',
      reviewState: 'reviewed', kind: 'note', conditions: [], relations: [], bodyAt: 'hot',
      ...picked(args),
      applicability: args.applicability ?? (args.conditions?.length ? 'conditional' : 'all_in_scope'),
      revision: 1, createdAt: world.now, updatedAt: world.now, previous: {change: 'create'},
    };
    if (layer === 'project') record.ownerProjectId = world.project.id; // LM-1.7
    state.records[record.id] = record;
    const victims = makeRoom(world, state, record.id);
    return {result: {changed: true, id: record.id, revision: 1, ...victims, ...noted}};
  });
}

function update(world, args) {
  const found = ID.test(args.id) ? world.find(args.id) : undefined;
  if (!found?.visible && !world.project.confirmed) return refuse('needs_context');
  const status = eligibility(found?.record, world, 'save');
  if (status !== 'ok') return refuse(status); // LM-4.62
  return world.store.transact(found.scope, (state) => {
    const before = state.records[args.id];
    const again = eligibility(before, world, 'save');
    if (again !== 'ok') return {write: false, result: refuse(again)};
    const after = {...before, ...picked(args)}; // LM-4.13, LM-4.14
    if ('conditions' in args && !('applicability' in args)) {
      after.applicability = args.conditions.length ? 'conditional' : 'all_in_scope';
    }
    if (contradictory(after)) return {write: false, result: refuse('invalid_arguments')};
    if (after.topicKey !== before.topicKey) {
      const holder = holderOf(world, after.topicKey, state, found.scope, args.id);
      if (holder) return {write: false, result: resolve([holder])};
    }
    if (FIELDS.every((key) => JSON.stringify(after[key]) === JSON.stringify(before[key]))) { // LM-4.67
      return {write: false, result: {changed: false, id: args.id, message: message('unchanged')}};
    }
    const {previous, ...values} = before;
    Object.assign(after, {
      revision: before.revision + 1, updatedAt: world.now, previous: {change: 'update', values},
    }); // LM-4.16
    state.records[args.id] = after;
    const victims = makeRoom(world, state, args.id);
    return {result: {changed: true, id: args.id, revision: after.revision, ...victims}};
  });
}

const picked = (args) => Object.fromEntries(FIELDS.filter((key) => key in args).map((key) => [key, args[key]]));

function resolve(records) {
  const candidates = records.map(({id, title}) => ({id, title}));
  return {changed: false, id: '', needsResolution: true, candidates, message: message('needs_resolution')};
}

// The live records of both layers, the one being written as the lock's holder sees it.
function neighbours(world, state, scope) {
  return world.scopes.flatMap((name) =>
    Object.values((name === scope ? state : world.store.read(name)).records))
    .filter((record) => record.status !== 'archived' && record.origin !== 'project_evolution');
}

function duplicates(world, args, state, scope) {
  const around = neighbours(world, state, scope);
  const alike = args.resolution === 'distinct' ? [] : around.filter((record) => similar(record, args));
  const holder = holderOf(world, args.topicKey, state, scope);
  const named = [...alike.slice(0, MAX_CANDIDATES), ...(holder ? [holder] : [])];
  const once = named.filter((record, place) => named.findIndex(({id}) => id === record.id) === place);
  return once.length ? resolve(once.slice(0, MAX_CANDIDATES)) : undefined;
}

// LM-4.7, LM-4.66, LM-5.4: another title over like text, or the very same identity.
function similar(record, args) {
  const sameConditions = canonical(record.conditions) === canonical(args.conditions);
  if (record.title === args.title) {
    return sameConditions && (record.when ?? '') === (args.when ?? '');
  }
  const ours = `${args.summary ?? ''}\n${args.body ?? ''}`;
  return closeness(`${record.summary ?? ''}\n${record.body ?? ''}`, ours) >= SIMILARITY_PERCENT;
}

const canonical = (conditions = []) =>
  JSON.stringify(conditions.map(({key, value}) => JSON.stringify([key, value])).sort());

// LM-4.72: the live, reviewed, ordinary record that holds a slot.
function holderOf(world, topicKey, state, scope, except) {
  if (!topicKey) return undefined;
  return neighbours(world, state, scope).find((record) =>
    record.topicKey === topicKey && record.id !== except && record.reviewState !== 'legacy_unreviewed');
}

const size = ({title = '', summary = '', when = '', body = ''}) => bytes(title + summary + when + body);

// LM-4.52 to LM-4.54: whoever went unread the longest is archived, never the one being saved.
export function makeRoom(world, state, kept) {
  const active = Object.values(state.records).filter(({status}) => status !== 'archived');
  let total = active.reduce((sum, record) => sum + size(record), 0);
  let count = active.length;
  const reads = world.readTimes ?? new Map();
  const unread = ({id, lastReadAt, createdAt}) => reads.get(id) ?? lastReadAt ?? createdAt ?? 0;
  const order = active.filter(({id}) => id !== kept)
    .sort((a, b) => unread(a) - unread(b) || (a.id < b.id ? -1 : 1));
  const notes = [];
  while ((count > HARD_ENTRIES || total > MAX_LAYER_BYTES) && order.length) {
    const victim = order.shift();
    const {previous, ...values} = victim;
    Object.assign(victim, {
      status: 'archived', revision: (victim.revision ?? 1) + 1, previous: {change: 'archive', values},
    });
    notes.push(evicted(victim.title));
    total -= size(victim);
    count -= 1;
  }
  return notes.length ? {evictionNote: notes} : {};
}
