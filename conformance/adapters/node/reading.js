// memory_search and memory_read.

import {ID, bytes} from './constants.js';
import {eligibility} from './gate.js';
import {message, render} from './messages.js';
import {score} from './words.js';

const DIMENSIONS = [['column', 'columns'], ['taskKind', 'taskKinds'], ['seriesId', 'seriesIds']];

const entryText = ({id, title, summary, when}) => [`[${id}] ${title}`, summary, when].filter(Boolean).join('\n');

export const listText = (entries) => entries.map(entryText).join('\n\n');

function refused(status, code = status) {
  const said = message(code);
  return {result: {status, results: [], message: said}, text: render(said)};
}

function empty(reasonCode, code) {
  const said = message(code);
  return {result: {status: 'ok', reasonCode, results: [], message: said}, text: render(said)};
}

export function search(world, session, args) {
  if (world.switches.memory === 'off') return refused('memory_disabled'); // LM-8.3, LM-8.26
  const requested = world.requestContext(args);
  if (requested === undefined) return refused('needs_context'); // LM-3.3 to LM-3.5
  for (const [key, list] of DIMENSIONS) { // LM-3.7: before any matching
    for (const value of [args[key], world.context[key], world.defaults[key]]) {
      if (typeof value === 'string' && !(world.registry[list] ?? []).includes(value)) {
        return empty('no_match', 'scope_unregistered'); // LM-3.8, LM-3.9
      }
    }
  }
  const {found, blocked} = matches(world, args.query, requested);
  if (found.length === 0) {
    if (blocked.length === 0) return empty('no_match', 'no_match'); // LM-3.29
    const definite = blocked.every((status) => status === 'not_applicable');
    if (definite) return empty('not_applicable', 'related_not_applicable'); // LM-3.28
    return empty('applicability_unresolved', 'related_unconfirmed'); // LM-3.27
  }
  return deliver(world, session, found);
}

function matches(world, query, requested) {
  const found = [];
  const blocked = [];
  for (const {record} of world.visible()) {
    const {title = '', summary = '', when = '', body = ''} = record;
    const points = score(query, [title, summary, when, body].join('\n')); // LM-4.26: no kind
    if (points === 0) continue;
    const status = eligibility(record, world, 'search', requested); // LM-3.10
    if (status === 'ok') found.push({record, points}); // LM-3.11
    else if (status !== 'gone' && isOurs(record, world)) blocked.push(status);
  }
  const order = (a, b) => b.points - a.points || (b.record.updatedAt ?? 0) - (a.record.updatedAt ?? 0)
    || (a.record.id < b.record.id ? -1 : 1);
  const seen = new Set();
  const first = found.sort(order).filter(({record}) => !seen.has(record.id) && seen.add(record.id));
  return {found: first.map(({record}) => record), blocked};
}

function isOurs(record, world) {
  const owner = record.ownerProjectId ?? undefined;
  return owner === undefined || (world.project.confirmed && owner === world.project.id);
}

// LM-3.17 to LM-3.20: whole entries while reads and bytes last, by the text that is shown.
function deliver(world, session, found) {
  const entries = [];
  const left = world.budget.bytes - session.used.bytes;
  for (const {id, title = '', summary = '', when = ''} of found) {
    const entry = {id, title, summary, when};
    if (session.used.reads + entries.length >= world.budget.reads) break; // LM-3.15
    if (bytes(listText([...entries, entry])) <= left) entries.push(entry); // LM-3.31
  }
  if (entries.length === 0) return refused('budget_exhausted');
  const text = listText(entries);
  session.used.reads += entries.length; // LM-1.27: admitted first, then charged
  session.used.bytes += bytes(text);
  return {result: {status: 'ok', results: entries}, text};
}

function no(status) {
  const said = message(status);
  return {result: {status, message: said}, text: render(said)};
}

export function read(world, session, args) {
  if (world.switches.memory === 'off') return no('memory_disabled'); // LM-8.4
  const requested = world.requestContext(args);
  if (requested === undefined) return no('needs_context'); // LM-3.51
  if (!ID.test(args.id)) return no('gone'); // LM-3.32, LM-3.34, LM-3.46
  const found = world.find(args.id);
  if (!found?.visible && !world.project.confirmed) return no('needs_context'); // LM-3.53
  const status = eligibility(found?.record, world, 'read', requested); // LM-3.35
  if (status !== 'ok') return no(status);
  const {record} = found;
  if (args.view === 'links') return links(world, record, requested);
  if (session.used.bodies >= world.budget.bodies) return no('budget_exhausted'); // LM-3.36
  session.used.bodies += 1;
  world.readTimes ??= new Map();
  world.readTimes.set(record.id, world.now);
  const {id, revision, body = ''} = record;
  return {result: {status: 'ok', id, revision, body}, text: body}; // LM-3.37
}

function links(world, record, requested) {
  const shown = [];
  for (const {to, type} of record.relations ?? []) { // LM-3.43: only what is stored
    const target = world.find(to)?.record;
    if (eligibility(target, world, 'read', requested) === 'ok') { // LM-3.44
      shown.push({to, type, title: target.title ?? ''});
    }
  }
  const text = shown.map(({to, type, title}) => `${type}: [${to}] ${title}`).join('\n');
  return {result: {status: 'ok', id: record.id, links: shown}, text};
}
