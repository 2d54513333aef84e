// The adapter: JSON-RPC 2.0, one message a line, over standard input and output.

import fs from 'node:fs';

import {BUSY_THAT_LASTS} from './constants.js';
import {forget, undo} from './lifecycle.js';
import {turn} from './injection.js';
import {message, render} from './messages.js';
import {Points} from './points.js';
import {read, search} from './reading.js';
import {refuse, save} from './saving.js';
import {CannotBuild, exported, seed} from './seeds.js';
import {armLock} from './locks.js';
import {Busy, WriteFailed} from './store.js';
import {tools} from './tools.js';
import {World} from './world.js';

const WRITES = {memory_save: save, memory_forget: forget, panel_undo: undo};
const READS = {memory_search: search, memory_read: read};
const POINTS = [
  'write.locked', 'write.written', 'write.synced', 'write.intent', 'write.replaced', 'recall.admitted', 'recall.projected', 'recall.charged', 'recall.published',
];
const PANEL = [
  'list', 'show', 'remember', 'ignore', 'archive', 'restore', 'move', 'remove', 'pick', 'tidy', 'repair',
  'switch', 'confirm_project', 'quarantine', 'restore_cold', 'open_citation', 'citations', 'receipts',
].map((name) => `lite.panel_${name}`);
const UNSUPPORTED = [
  ...PANEL.map((capability) => [capability, 'this implementation has no panel but for undo']),
  ...['lite.learning_feedback', 'lite.learning_organize', 'script.organizer', 'inspect.receipts']
    .map((capability) => [capability, 'it does not learn']),
  ...['inspect.citations', 'inspect.notices'].map((capability) => [capability, 'it displays nothing']),
  ...['seed.cold', 'damage'].map((capability) => [capability, 'bodies are never cold: one file holds a layer']),
  ...['seed.files', 'inspect.access', 'decide', 'trace'].map((capability) => [capability, 'not offered']),
].map(([capability, reason]) => ({capability, reason}));

class RpcError extends Error {
  constructor(code, text, data) {
    super(text);
    Object.assign(this, {code, data});
  }
}

let world;
const points = new Points(pause);

function pause(point, n) {
  write({jsonrpc: '2.0', method: 'reached', params: {point, n}});
  for (;;) {
    const line = readLine();
    if (line === undefined) process.exit(0);
    const resumed = serve(line, new Set(['set', 'inspect', 'resume']));
    if (resumed) return;
  }
}

const METHODS = {
  hello: () => ({
    name: 'memrules-node', version: '0.1.0', language: 'javascript', protocol: 1, families: ['lite'],
    unsupported: UNSUPPORTED, readings: {}, points: POINTS,
  }),
  open(params) {
    if (params.family !== 'lite') throw new RpcError(-32001, 'another family', {capability: params.family});
    points.clear();
    world = new World(params, points);
    const ids = seed(world, params.seed);
    return {ids, roots: {store: params.store}};
  },
  turn: ({session = 'main', ...params}) => {
    points.begin();
    return turn(opened(), session, params);
  },
  call({op, args = {}, as = 'main'}) {
    points.begin();
    const session = opened().session(as);
    if (op === 'tools') return {result: {tools}, text: ''};
    if (op === 'entries') return {result: {entries: ENTRIES}, text: ''};
    if (Object.hasOwn(READS, op)) return READS[op](world, session, args);
    if (Object.hasOwn(WRITES, op)) return written(op, session, args);
    throw new RpcError(-32001, `no ${op} here`, {capability: `lite.${op}`});
  },
  set(params) {
    const {clock} = opened();
    if ('now' in params) clock.now = params.now;
    if ('mono' in params) clock.mono = params.mono;
    clock.now += params.advance_ms ?? 0;
    clock.mono += params.advance_ms ?? 0;
    for (const key of ['runtime', 'context', 'defaults', 'project', 'registry']) {
      if (key in params) world[key] = params[key];
    }
    if (params.switches) {
      if (params.switches.memory !== world.switches.memory) world.switchChanges += 1;
      world.switches = {...world.switches, ...params.switches};
    }
    if (params.budget) world.budget = {...world.budget, ...params.budget};
    if (params.cancel) world.cancelled = true;
    if (!params.issue_context) return {};
    return {contextId: world.issueContext(params.issue_context.kind, params.issue_context.context)};
  },
  fault(params) {
    opened();
    if (params.damage) throw new RpcError(-32001, 'no cold bodies', {capability: 'damage'});
    if (params.lock) armLock(world, params.lock);
    else points.arm(params);
    return {};
  },
  inspect({part}) {
    const {used} = opened().session();
    const parts = {
      records: () => exported(world),
      ledgers: () => used,
      slots: () => Object.assign({}, ...world.scopes.map((scope) => world.store.read(scope).slots)),
      generations: () => Object.fromEntries(
        world.store.scopes().map((scope) => [scope, world.store.read(scope).generation])),
      io: () => world.store.io,
    };
    if (!Object.hasOwn(parts, part)) throw new RpcError(-32001, `no ${part}`, {capability: `inspect.${part}`});
    return {[part]: parts[part]()};
  },
  close() {
    world = undefined;
    return {};
  },
};

const ENTRIES = ['auto_inject', 'memory_search', 'memory_read', 'memory_save', 'panel_routes']; // LM-0.3

function opened() {
  if (!world) throw new RpcError(-32600, 'no world is open', {});
  return world;
}

function written(op, session, args) {
  let result;
  try {
    result = WRITES[op](world, session, args);
  } catch (error) {
    const empty = op === 'memory_save' ? {id: ''} : {};
    if (error instanceof Busy) result = {...busy(error), ...empty};
    else if (error instanceof WriteFailed) result = {...refuse('write_failed'), ...empty};
    else throw error;
    if (op !== 'memory_save') delete result.id;
  }
  const said = [render(result.message), ...(result.evictionNote ?? []), result.scopeNote ?? ''];
  return {result, text: said.filter(Boolean).join('\n') || `ok ${result.id ?? args.id}`};
}

function busy({inARow}) {
  return {...refuse('busy'), ...inARow >= BUSY_THAT_LASTS && {message: message('busy_persistent')}}; // LM-9.17
}

// Answer one line; true when it was the resume that a paused operation waits for.
function serve(line, allowed) {
  let request;
  try {
    request = JSON.parse(line);
  } catch {
    write({jsonrpc: '2.0', id: null, error: {code: -32700, message: 'not JSON'}});
    return false;
  }
  const {id, method, params = {}} = request ?? {};
  try {
    if (id === undefined || typeof method !== 'string') throw new RpcError(-32600, 'not a request', {});
    if (allowed && method === 'resume') {
      write({jsonrpc: '2.0', id, result: {}});
      return true;
    }
    if (!Object.hasOwn(METHODS, method)) throw new RpcError(-32601, `no method ${method}`, {});
    if (allowed && !allowed.has(method)) throw new RpcError(-32600, 'an operation waits at a point', {});
    write({jsonrpc: '2.0', id, result: METHODS[method](params)});
  } catch (error) {
    write({jsonrpc: '2.0', id: id ?? null, error: described(error)});
  }
  return false;
}

function described(error) {
  if (error instanceof RpcError) return {code: error.code, message: error.message, data: error.data};
  if (error instanceof CannotBuild) {
    return {code: -32002, message: 'cannot build this world', data: {what: error.message}};
  }
  process.stderr.write(`${error.stack}\n`);
  return {code: -32003, message: 'the adapter broke', data: {message: String(error.message)}};
}

function write(answer) {
  const data = Buffer.from(`${JSON.stringify(answer)}\n`);
  for (let sent = 0; sent < data.length;) {
    try {
      sent += fs.writeSync(1, data, sent);
    } catch (error) {
      if (error.code !== 'EAGAIN') process.exit(0);
    }
  }
}

// Lines are read one at a time and at once, so that a paused operation can wait inside itself.
let waiting = Buffer.alloc(0);
function readLine() {
  const chunk = Buffer.alloc(65536);
  for (;;) {
    const end = waiting.indexOf(10);
    if (end >= 0) {
      const line = waiting.toString('utf8', 0, end);
      waiting = waiting.subarray(end + 1);
      return line;
    }
    let size;
    try {
      size = fs.readSync(0, chunk);
    } catch (error) {
      if (error.code === 'EAGAIN') continue;
      return undefined;
    }
    if (size === 0) return undefined;
    waiting = Buffer.concat([waiting, chunk.subarray(0, size)]);
  }
}

for (let line = readLine(); line !== undefined; line = readLine()) if (line.trim()) serve(line);
