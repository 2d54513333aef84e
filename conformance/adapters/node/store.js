// A small durable store: a folder a scope, one file in it, replaced whole under a lock.

import fs from 'node:fs';
import path from 'node:path';

import {LOCK_POLL_MS, LOCK_WAIT_MS} from './constants.js';

export class Busy extends Error {
  constructor(inARow) {
    super('busy');
    this.inARow = inARow;
  }
}
export class WriteFailed extends Error {}

const EMPTY = {format: 1, generation: 0, records: {}, slots: {}, tombstones: {}, reads: {}};

export class Store {
  constructor(root, {reach, wait}) {
    this.root = root;
    this.reach = reach; // called at every point of a write; may pause or throw
    this.wait = wait; // waits for so many milliseconds, or moves a manual clock
    this.cache = new Map();
    this.io = [];
    this.busy = new Map(); // how many times in a row each scope's lock could not be had
    fs.mkdirSync(root, {recursive: true});
    for (const scope of this.scopes()) this.sweep(scope);
  }

  scopes() {
    const names = fs.readdirSync(this.root, {withFileTypes: true});
    return names.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  }

  // What a crash may have left: a temporary file that nobody will ever rename.
  sweep(scope) {
    const folder = path.join(this.root, scope);
    for (const name of fs.readdirSync(folder)) {
      if (!name.startsWith('layer.json.')) continue;
      const writer = Number(name.split('.')[2]);
      if (!alive(writer, undefined)) fs.rmSync(path.join(folder, name), {force: true});
    }
  }

  file(scope) {
    return path.join(this.root, scope, 'layer.json');
  }

  // The current content of a scope; a change by another process is seen.
  read(scope) {
    let stat;
    try {
      stat = fs.statSync(this.file(scope), {bigint: true});
    } catch {
      return structuredClone(EMPTY);
    }
    const mark = `${stat.ino}.${stat.mtimeNs}.${stat.size}`;
    const known = this.cache.get(scope);
    if (known?.mark === mark) return known.state;
    const state = {...structuredClone(EMPTY), ...JSON.parse(fs.readFileSync(this.file(scope), 'utf8'))};
    this.cache.set(scope, {mark, state});
    return state;
  }

  // Run a change under the scope's lock and put its result on disk, or leave all as it was.
  transact(scope, change) {
    const folder = path.join(this.root, scope);
    const release = this.lock(scope);
    try {
      const state = structuredClone(this.read(scope)); // LM-4.60: read again under the lock
      const answer = change(state);
      if (answer.write === false) return answer.result;
      state.generation += 1;
      this.replace(folder, state);
      return answer.result;
    } finally {
      release();
    }
  }

  replace(folder, state) {
    const real = path.join(folder, 'layer.json');
    const temporary = `${real}.${process.pid}`;
    const intent = `${temporary}.intent`;
    this.io = [];
    try {
      this.reach('write.locked');
      this.writeDurably(temporary, JSON.stringify(state), 'write.written');
      this.reach('write.synced');
      this.writeDurably(intent, JSON.stringify({replace: real, by: temporary}));
      this.reach('write.intent');
      fs.renameSync(temporary, real); // LM-4.58
      this.note('rename', temporary, {to: path.relative(this.root, real)});
    } catch (error) {
      fs.rmSync(temporary, {force: true}); // LM-4.59
      fs.rmSync(intent, {force: true});
      throw new WriteFailed(error.code ?? 'EIO');
    }
    try {
      this.syncFolder(folder);
      this.reach('write.replaced');
      fs.rmSync(intent, {force: true});
      this.note('unlink', intent);
    } catch {
      // The new content stands under its name already: a later sync makes it last.
    }
  }

  writeDurably(name, text, point) {
    const handle = fs.openSync(name, 'w');
    try {
      fs.writeSync(handle, text);
      this.note('write', name, {data: Buffer.from(text).toString('base64')});
      if (point) this.reach(point);
      fs.fsyncSync(handle);
      this.note('fsync', name);
    } finally {
      fs.closeSync(handle);
    }
  }

  syncFolder(folder) {
    const handle = fs.openSync(folder, 'r');
    fs.fsyncSync(handle);
    fs.closeSync(handle);
    this.note('fsync_dir', folder);
  }

  note(op, name, more = {}) {
    this.io.push({op, path: path.relative(this.root, name), ...more});
  }

  // Take the lock of a scope; a dead holder's is taken over, a live one's waited for.
  lock(scope) {
    const folder = path.join(this.root, scope);
    const fresh = !fs.existsSync(folder);
    fs.mkdirSync(folder, {recursive: true});
    if (fresh) this.syncFolder(this.root);
    const file = path.join(folder, 'lock');
    const me = JSON.stringify({pid: process.pid, start: startOf(process.pid)});
    for (let waited = 0; ; waited += LOCK_POLL_MS) {
      if (this.take(file, me)) {
        this.busy.delete(scope);
        return () => fs.rmSync(file, {force: true});
      }
      if (waited >= LOCK_WAIT_MS) { // LM-8.20
        this.busy.set(scope, (this.busy.get(scope) ?? 0) + 1);
        throw new Busy(this.busy.get(scope));
      }
      this.wait(LOCK_POLL_MS);
    }
  }

  take(file, me) {
    const mine = `${file}.${process.pid}`;
    fs.writeFileSync(mine, me);
    try {
      fs.linkSync(mine, file); // exclusive, and never seen half written
      return true;
    } catch {
      return this.reclaim(file, me);
    } finally {
      fs.rmSync(mine, {force: true});
    }
  }

  reclaim(file) {
    let text;
    try {
      text = fs.readFileSync(file, 'utf8');
      const {pid, start} = JSON.parse(text);
      if (!Number.isInteger(pid) || alive(pid, start)) return false; // LM-8.22, LM-8.37
    } catch {
      return false;
    }
    const aside = `${file}.stale.${process.pid}`;
    try {
      fs.renameSync(file, aside); // LM-8.21: only one of several rescuers moves it away
      const moved = fs.readFileSync(aside, 'utf8');
      if (moved !== text) fs.linkSync(aside, file); // it was another's by then: put it back
    } catch {
      // Somebody else was faster.
    }
    fs.rmSync(aside, {force: true});
    return false;
  }
}

function startOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function alive(pid, start) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return start === undefined || start === null || now === undefined || now === start; // a reused pid is dead
}
