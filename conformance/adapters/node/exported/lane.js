// The steps of a case, one after the other, on one process.

import {demand, fill, judge} from './matching.js';
import {STOPPED} from './target.js';

const OPERATIONS = ['call', 'turn'];

export class Lane {
  constructor(start, target, store, names) {
    Object.assign(this, {start, target, store, names});
  }

  async run(steps) {
    for (const [place, step] of steps.entries()) {
      await this.do(step).catch((error) => {
        error.message = `steps[${place}]: ${error.message}`;
        throw error;
      });
    }
  }

  async do(step) {
    if (step.kill) {
      this.target.lose();
      this.waiting = undefined;
    } else if (step.parallel) await this.besides(step);
    else if (step.method === 'resume') await this.resume();
    else if (OPERATIONS.includes(step.method)) {
      const answer = this.target.send(step.method, fill(step.params, this.names));
      await this.settle(step, answer, this.target.until(answer));
    } else {
      const again = step.method === 'open';
      if (again && this.target.gone) this.target = await this.start();
      const params = {...fill(step.params, this.names), ...(again && {store: this.store})};
      judge(step, await this.target.send(step.method, params), this.names);
    }
  }

  async resume() {
    demand(this.waiting, 'resume', 'an operation that waits at a point', 'none');
    const {step, answer} = this.waiting;
    const next = this.target.until(answer);
    await this.target.send('resume', {});
    await this.settle(step, answer, next);
  }

  async settle(step, answer, next) {
    const found = await next;
    this.waiting = found === STOPPED ? {step, answer} : undefined;
    if (found !== STOPPED) judge(step, found, this.names);
  }

  async besides({open, parallel}) {
    const lanes = [this];
    try {
      for (const _ of parallel.slice(1)) lanes.push(new Lane(this.start, await this.start(), this.store, this.names));
      for (const lane of lanes.slice(1)) await lane.target.send('open', {...fill(open, this.names), store: this.store});
      await Promise.all(parallel.map((steps, n) => lanes[n].run(steps)));
    } finally {
      for (const lane of lanes.slice(1)) lane.target.lose();
    }
  }
}
