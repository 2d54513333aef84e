// Canonical records of a new world, put into the store in this implementation's own form.

import crypto from 'node:crypto';

import {projectScope} from './world.js';

export class CannotBuild extends Error {}

export function seed(world, {records = {}, slots = {}, files, tombstones} = {}) {
  if (files || tombstones) throw new CannotBuild(files ? 'seed.files' : 'seed.tombstones');
  const ids = {};
  for (const [handle, {id}] of Object.entries(records)) {
    ids[handle] = id ?? `mem_${crypto.randomBytes(10).toString('hex')}`;
  }
  const byScope = new Map();
  for (const [handle, given] of Object.entries(records)) {
    if (given.bodyAt === 'cold') throw new CannotBuild('seed.cold');
    const record = {...given, id: ids[handle]};
    if (record.relations) record.relations = record.relations.map(({to, type}) => ({to: ids[to] ?? to, type}));
    if (record.previous) record.previous = {change: 'update', values: {...record, ...record.previous}};
    const layer = record.layer ?? 'project';
    const owner = layer === 'global' ? undefined : record.ownerProjectId ?? world.project.id;
    const scope = layer === 'global' ? 'global' : projectScope(owner);
    if (!byScope.has(scope)) byScope.set(scope, {});
    byScope.get(scope)[record.id] = record;
  }
  for (const [scope, own] of byScope) {
    world.store.transact(scope, (state) => {
      Object.assign(state.records, own);
      for (const [key, handle] of Object.entries(slots)) if (own[ids[handle]]) state.slots[key] = ids[handle];
      return {result: undefined};
    });
  }
  return ids;
}

const SHOWN = [
  'title', 'summary', 'when', 'status', 'ownerProjectId', 'origin', 'reviewState', 'topicKey', 'kind',
  'conditions', 'applicability', 'memoryClass', 'evidenceRef', 'revision', 'relations', 'learning',
  'bodyAt', 'body',
];

// Every record in the one form that the kit compares.
export function exported(world) {
  const found = world.store.scopes().flatMap((scope) =>
    Object.values(world.store.read(scope).records).map((record) => {
      const shown = {id: record.id, layer: scope === 'global' ? 'global' : 'project'};
      for (const key of SHOWN) if (record[key] !== undefined && record[key] !== null) shown[key] = record[key];
      return shown;
    }));
  return found.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.layer < b.layer ? -1 : 1));
}
