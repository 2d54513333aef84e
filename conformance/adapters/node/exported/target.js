// A target behind a command: JSON-RPC 2.0, one message a line.

import {spawn} from 'node:child_process';

const PROTOCOL = 1;
const CALL_MS = 10_000;
export const STOPPED = Symbol('an operation waits at a point');

export class Target {
  static async start(command, readings) {
    const target = new Target(command);
    target.hello = await target.send('hello', {protocol: PROTOCOL, readings});
    return target;
  }

  constructor([program, ...args]) {
    this.number = 0;
    this.asked = new Map();
    this.process = spawn(program, args, {stdio: ['pipe', 'pipe', 'ignore']});
    this.process.stdin.on('error', () => {});
    this.process.on('error', () => this.lose()).on('close', () => this.lose());
    let rest = '';
    this.process.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) this.take(line);
    });
  }

  send(method, params) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      if (this.gone) return void reject(new Error(`no answer to ${method}: the target is gone`));
      const timer = setTimeout(() => reject(new Error(`no answer to ${method} in time`)), CALL_MS);
      this.asked.set(id, {resolve, reject, timer});
      this.process.stdin.write(`${JSON.stringify({jsonrpc: '2.0', id, method, params})}\n`);
    });
  }

  // The answer, or STOPPED where the operation waits at a point.
  until(answer) {
    return Promise.race([answer, new Promise((resolve) => (this.stopped = () => resolve(STOPPED)))]);
  }

  take(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return this.lose();
    }
    if (message.method === 'reached') this.stopped?.();
    const asked = this.asked.get(message.id);
    if (!asked) return undefined;
    clearTimeout(asked.timer);
    this.asked.delete(message.id);
    if (!message.error) return asked.resolve(message.result);
    return asked.reject(Object.assign(new Error(message.error.message), {code: message.error.code}));
  }

  lose() {
    this.gone = true;
    this.process.kill('SIGKILL');
    for (const {reject, timer} of this.asked.values()) {
      clearTimeout(timer);
      reject(new Error('the target ended'));
    }
    this.asked.clear();
  }

  lacks(needs) {
    const refused = new Set(this.hello.unsupported.map((entry) => entry.capability));
    return needs.some((need) => refused.has(need) || refused.has(need.slice(0, need.lastIndexOf('.'))));
  }
}
