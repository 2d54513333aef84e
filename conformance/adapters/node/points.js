// Named moments inside an operation, at which the kit may stop it or let it fail.

export class Points {
  constructor(pause) {
    this.pause = pause; // waits until the kit says resume
    this.clear();
  }

  clear() {
    this.stop = undefined;
    this.fail = undefined;
    this.begin();
  }

  begin() {
    this.counts = new Map();
  }

  arm({stop_at: stop, fail_at: fail, error, times = 1}) {
    const parse = (text) => {
      const [point, n] = text.split('#');
      return {point, n: n === undefined ? undefined : Number(n)};
    };
    if (stop) this.stop = parse(stop);
    if (fail) this.fail = {...parse(fail), error, times};
  }

  reach(point) {
    const n = (this.counts.get(point) ?? 0) + 1;
    this.counts.set(point, n);
    const meant = (armed) => armed && (armed.point === '*' || armed.point === point)
      && (armed.n === undefined || armed.n === n);
    if (meant(this.stop)) {
      if (this.stop.point !== '*') this.stop = undefined;
      this.pause(point, n);
    }
    if (meant(this.fail) && this.fail.times > 0) {
      this.fail.times -= 1;
      throw Object.assign(new Error(this.fail.error), {code: this.fail.error});
    }
  }
}
