// Whether an answer is the expected one, and values with what a run knows in them.

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const isText = (value) => typeof value === 'string' && value.trim() !== '';
const TYPES = {
  message: (value) => isObject(value) && Object.keys(value).length === 2 && isText(value.what) && isText(value.next),
  id: (value) => typeof value === 'string' && value.startsWith('mem_') && value !== 'mem_',
  string: (value) => typeof value === 'string',
  text: isText,
  line: (value) => isText(value) && !/[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/.test(value),
  integer: Number.isInteger,
  object: isObject,
};
const MATCHERS = {
  $type: (name, found) => TYPES[name](found),
  $one_of: (several, found) => several.some((wanted) => same(wanted, found)),
  $unordered: (wanted, found) => Array.isArray(found) && inAnyOrder(wanted, found),
  $fields: (wanted, found) => isObject(found)
    && same(wanted, Object.fromEntries(Object.entries(found).filter(([name]) => Object.hasOwn(wanted, name)))),
  $bytes: ({least = 0, most = Infinity}, found) => {
    const size = typeof found === 'string' ? Buffer.byteLength(found) : -1;
    return least <= size && size <= most;
  },
  $sentence: ({holds, lacks}, found) => {
    const said = TYPES.message(found) ? `${found.what}\n${found.next}` : '';
    return said.includes(holds) && !lacks.some((words) => said.includes(words));
  },
};

export function same(wanted, found) {
  if (Array.isArray(wanted)) {
    return Array.isArray(found) && wanted.length === found.length && wanted.every((one, n) => same(one, found[n]));
  }
  if (!isObject(wanted)) return wanted === found;
  const names = Object.keys(wanted);
  if (names.length === 1 && Object.hasOwn(MATCHERS, names[0])) return MATCHERS[names[0]](wanted[names[0]], found);
  return isObject(found) && names.length === Object.keys(found).length
    && names.every((name) => Object.hasOwn(found, name) && same(wanted[name], found[name]));
}

function inAnyOrder([first, ...others], found) {
  if (first === undefined) return found.length === 0;
  return found.some((one, n) => same(first, one) && inAnyOrder(others, found.filter((_, m) => m !== n)));
}

// A value with the ids and the kept parts of this run in it.
export function fill(value, names) {
  if (Array.isArray(value)) return value.map((inner) => fill(inner, names));
  if (!isObject(value)) return value;
  if ('$id' in value) return names.ids[value.$id];
  if ('$ref' in value) return names.saved[value.$ref];
  if ('$join' in value) return fill(value.$join, names).join('');
  if ('$repeat' in value) {
    const [text, times] = fill(value.$repeat, names);
    return text.repeat(times);
  }
  if ('$sum' in value) return fill(value.$sum, names).reduce((sum, part) => sum + part);
  if ('$less' in value) return fill(value.$less, names).reduce((left, part) => left - part);
  if ('$bytes_of' in value) return Buffer.byteLength(names.saved[value.$bytes_of]);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, names)]));
}

export function demand(holds, where, wanted, found) {
  if (!holds) throw new Error(`${where}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(found)}`);
}

function strings(value) {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => [key, ...strings(inner)]) : [];
}

const namesMessage = (wanted) => isObject(wanted) && ('message' in wanted || (wanted.$one_of ?? []).some(namesMessage));

export function judge(step, answer, names) {
  const found = {call: answer.result, inspect: answer[step.params.part]}[step.method] ?? answer;
  const text = {call: answer.text, turn: answer.injected?.text}[step.method] ?? '';
  const {expect, lacks, says} = fill(step, names);
  if (expect !== undefined) {
    const {message, ...plain} = isObject(found) ? found : {};
    demand(same(expect, isObject(found) && !namesMessage(expect) ? plain : found), 'expect', expect, found);
  }
  const spoken = [text, JSON.stringify(text), JSON.stringify(found), ...strings(found)];
  for (const words of lacks ?? []) demand(!spoken.some((said) => said.includes(words)), 'lacks', words, found);
  const heard = [text, ...strings(found.message)].join('\n');
  for (const words of says ?? []) demand(heard.includes(words), 'says', words, heard);
  for (const [name, place] of Object.entries(step.save ?? {})) {
    names.saved[name] = [...place.matchAll(/\.(\w+)|\[(\d+)\]/g)].reduce((at, [, key, n]) => at?.[key ?? n], found);
    demand(names.saved[name] !== undefined, `save ${name}`, place, found);
  }
}
