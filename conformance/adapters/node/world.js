// One open world: clock, project, contexts, budgets, the turn of each session, and its store.

import crypto from 'node:crypto';

import {CONTEXT_LIFETIME_MS, DEFAULT_BUDGET} from './constants.js';
import {Store} from './store.js';

const DEFAULTS = {
  clock: {mode: 'manual', now: 1700000000000, mono: 0},
  lang: 'zh',
  project: {id: 'p1', confirmed: true, root: '/srv/p1'},
  runtime: {},
  context: {},
  defaults: {},
  switches: {memory: 'on', recall: 'adaptive'},
  registry: {columns: [], taskKinds: [], seriesIds: []},
};

export class World {
  constructor(params, points) {
    for (const [key, value] of Object.entries(DEFAULTS)) this[key] = structuredClone(params[key] ?? value);
    this.budget = {...DEFAULT_BUDGET, ...params.budget};
    this.points = points;
    this.contexts = new Map();
    this.sessions = new Map();
    this.releases = [];
    this.cancelled = false;
    this.switchChanges = 0;
    this.store = new Store(params.store, {
      reach: (point) => points.reach(point),
      wait: (ms) => this.wait(ms),
    });
  }

  get now() {
    return this.clock.mode === 'real' ? Date.now() : this.clock.now;
  }

  get mono() {
    return this.clock.mode === 'real' ? Math.trunc(performance.now()) : this.clock.mono;
  }

  wait(ms) {
    if (this.clock.mode === 'real') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    else this.clock.mono += ms;
    this.releases = this.releases.filter((release) => !release(this.mono)); // each lock once
  }

  session(name = 'main') {
    if (!this.sessions.has(name)) this.sessions.set(name, {turn: 0, said: '', used: fresh()});
    return this.sessions.get(name);
  }

  // LM-9.10: every human turn begins with whole budgets.
  beginTurn(name) {
    const session = this.session(name);
    session.turn += 1;
    session.used = fresh();
    session.injected = undefined;
    for (const [id, issued] of this.contexts) if (issued.session === name) this.contexts.delete(id);
    return session;
  }

  issueContext(kind, context = {}) {
    const id = `ctx_${crypto.randomBytes(9).toString('hex')}`;
    const project = kind === 'foreign' ? `${this.project.id}-other` : this.project.id;
    const until = kind === 'expired' ? this.mono - 1 : this.mono + CONTEXT_LIFETIME_MS;
    this.contexts.set(id, {context, project, until, session: 'main'});
    return id;
  }

  // LM-3.1 to LM-3.6: the request's own context, or undefined where it cannot be checked.
  requestContext({contextId, bindForRequest}) {
    if (contextId === undefined) return bindForRequest ? undefined : {};
    const issued = this.contexts.get(contextId);
    if (!issued || issued.project !== this.project.id || this.mono > issued.until) return undefined;
    return issued.context;
  }

  get scopes() {
    const own = this.project.confirmed ? [projectScope(this.project.id)] : []; // LM-5.13
    return [...own, 'global'];
  }

  scopeOf(layer) {
    return layer === 'global' ? 'global' : projectScope(this.project.id);
  }

  // A record by its id: in the visible layers first, then wherever it lies.
  find(id) {
    const others = this.store.scopes().filter((scope) => !this.scopes.includes(scope));
    for (const scope of [...this.scopes, ...others]) {
      const record = this.store.read(scope).records[id];
      if (record) return {record, scope, visible: this.scopes.includes(scope)};
    }
    return undefined;
  }

  // All records of the visible layers; of one id in both the project's comes first (LM-2.8).
  visible() {
    return this.scopes.flatMap((scope) =>
      Object.values(this.store.read(scope).records).map((record) => ({record, scope})));
  }
}

export const projectScope = (id) => `project-${Buffer.from(id).toString('hex')}`;

const fresh = () => ({reads: 0, bytes: 0, bodies: 0, injection: {cards: 0, bytes: 0}});
