// What holds when the steps of a case are done: of the records, and of the files of the store.

import fs from 'node:fs';
import path from 'node:path';

import {demand, fill, same} from './matching.js';

export async function records({kept, new: added}, lane) {
  let {records: left} = await lane.target.send('inspect', {part: 'records'});
  const drop = (record, ignore) => Object.fromEntries(
    Object.entries(record).filter(([name, value]) => value !== null && !ignore.includes(name)));
  const take = (wanted, fits) => {
    const found = left.find(fits);
    demand(found, 'then.records', wanted, left);
    left = left.filter((record) => record !== found);
  };
  for (const {record, ignore} of fill(kept, lane.names)) {
    take(record, (found) => found.id === record.id && same(drop(record, ignore), drop(found, ignore)));
  }
  for (const fields of fill(added, lane.names)) {
    const others = (record) => Object.keys(record).filter((name) => !Object.hasOwn(fields, name));
    take(fields, (found) => same(drop(fields, []), drop(found, others(found))));
  }
  demand(left.length === 0, 'then.records', 'no other record', left);
}

export function files({content, lacks}, {store, names}) {
  for (const [name, wanted] of Object.entries(content)) {
    const file = path.join(store, name);
    const found = fs.existsSync(file) ? fs.readFileSync(file, 'base64') : null;
    demand(found === wanted, `then.files.${name}`, wanted, found);
  }
  const all = fs.readdirSync(store, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  for (const words of fill(lacks, names)) {
    const holding = all.filter((entry) => {
      const bytes = fs.readFileSync(path.join(entry.path, entry.name));
      return bytes.includes(words) || bytes.includes(JSON.stringify(words).slice(1, -1));
    });
    demand(holding.length === 0, 'then.files', `no file that holds ${words}`, holding.map((entry) => entry.name));
  }
}
