// Locks that the kit wants to find: held by a live, a dead, an unknown process or a reused pid.

import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export function armLock(world, {scope, holder, release_after_ms: after}) {
  const folder = path.join(world.store.root, world.scopeOf(scope));
  fs.mkdirSync(folder, {recursive: true});
  const file = path.join(folder, 'lock');
  const texts = {
    live: () => JSON.stringify({pid: process.pid}),
    dead: () => JSON.stringify({pid: spawnSync(process.execPath, ['--version']).pid, start: '1'}),
    unknown: () => 'held',
    reused_pid: () => JSON.stringify({pid: process.pid, start: '1'}),
  };
  fs.writeFileSync(file, texts[holder]());
  if (after === undefined) return;
  const until = world.mono + after;
  world.releases.push((mono) => {
    if (mono < until) return false;
    fs.rmSync(file, {force: true});
    return true;
  });
}
