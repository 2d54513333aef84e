// The layer of a new record: the model proposes, the server decides.

import {ENVIRONMENT_KEYS} from './constants.js';

const TRACES = [
  /(?<![\w.~%:/\\-])\/[\w.@+-]+\/[\w.@+-]+/, // an absolute path of two segments or more
  /(?<!\w)~[\\/]/, // a home
  /(?<![A-Za-z])[A-Za-z]:[\\/](?!\/)/, // a drive
  /(?<!\\)\\\\[\w.-]+\\/, // a share
  /\blocalhost\b|(?<![\d.])127(?:\.\d{1,3}){3}|(?<![\d.])0\.0\.0\.0(?!\.?\d)|(?<![\w:])::1(?![\w:])/i,
  /(?:端口|\bports?\b)\s*[:：=为是]?\s*\d{2,5}(?!\d)/i, // LM-4.36
  /(?<![\p{L}\p{N}_:.\]])[:：]\d{2,5}(?![\d:])/u,
];

export const localTrace = (text) => TRACES.some((pattern) => pattern.test(text));

export function route(args) {
  const environment = (args.conditions ?? []).some(({key}) => ENVIRONMENT_KEYS.includes(key));
  const trace = localTrace(args.body ?? '') || localTrace(args.evidenceRef ?? ''); // LM-4.37
  const kind = args.memoryClass ?? 'unclassified';
  const general = kind === 'portable_procedure' || kind === 'unclassified';
  if (args.scope === 'project') return {layer: 'project'}; // LM-4.76
  if (args.scope === 'global') {
    if (kind === 'project_fact') return {layer: 'project', note: 'project_fact'}; // LM-4.41
    if (kind === 'device_fact' && !environment) {
      return {layer: 'project', note: 'device_without_environment'}; // LM-4.32
    }
    if (general && trace && !environment) {
      return {layer: 'project', note: 'local_trace_without_environment'}; // LM-4.34 to LM-4.36
    }
    return {layer: 'global'}; // LM-4.31
  }
  if (kind === 'portable_procedure') {
    const bare = !args.evidenceRef && !environment; // LM-4.42
    return {layer: bare || (trace && !environment) ? 'project' : 'global'}; // LM-4.70
  }
  return {layer: kind === 'device_fact' && environment ? 'global' : 'project'}; // LM-4.43
}
