// Runs an exported set against an adapter: node run-exported.js DIR COMMAND [ARGUMENT...]
// What the files mean is said in CONTRACT.md, which lies in the set.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {files, records} from './exported/afterwards.js';
import {Lane} from './exported/lane.js';
import {demand, same} from './exported/matching.js';
import {Target} from './exported/target.js';

const [folder, ...command] = process.argv.slice(2);
if (command.length === 0) finish('usage: node run-exported.js DIR COMMAND [ARGUMENT...]', 2);
const load = (name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
const index = load('export.json');
if (index.format !== 1) finish(`${folder} has format ${index.format}; this runner knows format 1`, 3);

const start = () => Target.start(command, index.declared);
let target;

async function play(test) {
  const store = fs.mkdtempSync(path.join(os.tmpdir(), 'memrules-'));
  let lane;
  try {
    for (const [name, content] of Object.entries(test.files ?? {})) {
      fs.mkdirSync(path.dirname(path.join(store, name)), {recursive: true});
      fs.writeFileSync(path.join(store, name), content, 'base64');
    }
    const {ids} = await target.send('open', {...test.open, store});
    lane = new Lane(start, target, store, {ids, saved: {}});
    await lane.run(test.steps);
    const {records: held, files: bytes} = test.then ?? {};
    if (held && !(held.optional && target.lacks(['inspect.records']))) await records(held, lane);
    if (bytes) files(bytes, lane);
  } finally {
    target = lane?.target ?? target;
    if (lane?.waiting) target.lose();
    if (!target.gone) await target.send('close', {}).catch(() => target.lose());
    fs.rmSync(store, {recursive: true, force: true});
  }
}

function combinations(inputs) {
  return Object.entries(inputs).reduce(
    (found, [name, values]) => found.flatMap((one) => values.map((value) => ({...one, [name]: value}))), [{}]);
}

async function decide(table, {vectors}) {
  for (const {inputs, accepted} of vectors) {
    const all = combinations(inputs);
    for (let begin = 0; begin < all.length; begin += 1000) {
      const batch = all.slice(begin, begin + 1000);
      const {decisions} = await target.send('decide', {table, inputs: batch});
      demand(decisions.length === batch.length, 'decisions', batch.length, decisions.length);
      decisions.forEach(({outcome}, n) =>
        demand(accepted.some((one) => same(one, outcome)), JSON.stringify(batch[n]), accepted, outcome));
    }
  }
}

const counts = {passed: 0, failed: 0, unsupported: 0};
async function check(id, needs, run) {
  let verdict = 'unsupported';
  try {
    if (target.gone) target = await start();
    if (!target.lacks(needs)) {
      await run();
      verdict = 'passed';
    }
  } catch (error) {
    if (error.code !== -32001 && error.code !== -32002) {
      verdict = 'failed';
      console.log(`${id}: ${error.message}`);
    }
  }
  counts[verdict] += 1;
}

function finish(text, code) {
  console.error(text);
  process.exit(code);
}

try {
  target = await start();
} catch (error) {
  finish(`${command.join(' ')} does not start: ${error.message}`, 3);
}
const readings = (declared) => JSON.stringify(Object.entries(declared).sort());
if (readings(target.hello.readings) !== readings(index.declared)) {
  finish('the target declares other readings than the set; export it again with memrules export --readings', 3);
}
for (const name of Object.keys(index.files).sort()) {
  if (name.startsWith('fixtures/')) {
    for (const test of load(name).cases) await check(test.id, test.needs ?? [], () => play(test));
  } else if (name.startsWith('vectors/')) {
    const {table, rows} = load(name);
    for (const row of rows) await check(row.id, ['decide'], () => decide(table, row));
  }
}
target.lose();
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.unsupported} unsupported`);
process.exitCode = counts.failed || !counts.passed ? 1 : 0;
