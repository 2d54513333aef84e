// memory_forget, purge and undo.

import {ID} from './constants.js';
import {eligibility} from './gate.js';
import {message} from './messages.js';
import {makeRoom} from './saving.js';

const refuse = (reason) => ({changed: false, reason, message: message(reason)});

// The record that an operation is about, or the reason why it may not be touched.
function target(world, id) {
  const found = ID.test(id) ? world.find(id) : undefined;
  if (!found?.visible && !world.project.confirmed) return {reason: 'needs_context'};
  if (!found) return {reason: 'gone'};
  const owner = eligibility({...found.record, status: 'active'}, world, 'forget');
  return owner === 'ok' ? found : {reason: owner};
}

export function forget(world, session, {id, purge = false}) {
  if (world.switches.memory === 'off') return refuse('memory_disabled'); // LM-8.7
  const {scope, reason} = target(world, id);
  if (reason) return refuse(reason);
  return world.store.transact(scope, (state) => {
    const record = state.records[id];
    if (!record) return {write: false, result: refuse('gone')};
    if (purge) return purged(state, record); // LM-8.10
    if (record.status === 'archived') return {write: false, result: refuse('gone')}; // LM-8.29
    return archived(world, record);
  });
}

// LM-8.11 to LM-8.13: the one file holds every copy, so its replacement leaves none.
function purged(state, record) {
  const revision = (record.revision ?? 1) + 1;
  delete state.records[record.id];
  state.tombstones[record.id] = {revision};
  for (const [key, id] of Object.entries(state.slots)) if (id === record.id) delete state.slots[key];
  return {result: {changed: true, revision}};
}

// LM-8.8: out of use, and found again by a human.
function archived(world, record) {
  const {previous, ...values} = record;
  const revision = (record.revision ?? 1) + 1;
  Object.assign(record, {
    status: 'archived', revision, updatedAt: world.now, previous: {change: 'archive', values},
  });
  return {result: {changed: true, revision}};
}

export function undo(world, session, {id, revision}) {
  if (world.switches.memory === 'off') return refuse('memory_disabled'); // LM-8.5
  const {scope, reason} = target(world, id);
  if (reason) return refuse(reason);
  return world.store.transact(scope, (state) => {
    const record = state.records[id];
    if (!record) return {write: false, result: refuse('gone')};
    if (record.revision !== revision) return {write: false, result: refuse('revision_mismatch')}; // LM-8.15
    if (!record.previous) return {write: false, result: refuse('nothing_to_undo')};
    if (record.previous.change === 'create') { // LM-8.32
      const answer = archived(world, record);
      delete record.previous;
      return answer;
    }
    const next = {...record.previous.values, revision: revision + 1, updatedAt: world.now}; // LM-8.14
    delete next.previous;
    state.records[id] = next;
    const victims = makeRoom(world, state, id); // LM-8.34
    return {result: {changed: true, revision: next.revision, ...victims}};
  });
}
