// What happened and what to do next, for every answer that is not plain success (LM-9.20).

const TEXTS = {
  gone: ['这条记忆不存在或已归档', '不要重试；要找回请在面板的归档里恢复'],
  not_applicable: ['这条记忆的适用条件与当前任务明确不符', '不要重试；换任务或换条件'],
  needs_context: ['无法核对这次请求：上下文已过期、属于别的项目，或项目还没确认', '先再问一遍当前任务是什么，或带上有效的 contextId'],
  budget_exhausted: ['本轮的记忆额度已用完', '下一轮再查，不要绕过额度'],
  memory_disabled: ['本项目的记忆已关闭', '请用户先在面板打开；不要自行打开'],
  busy: ['记忆正被另一个写入占用', '等一会儿重试'],
  busy_persistent: ['记忆一直被占用', '清理残留的锁'],
  no_match: ['没有匹配的记忆', '直接继续任务，或换个说法再查'],
  scope_unregistered: ['本轮没有匹配的记忆范围', '直接继续任务，或登记这个范围后再查'],
  related_not_applicable: ['有相关的项目记忆，但当前任务明确不适用', '不要重试；换任务或换条件'],
  related_unconfirmed: ['有相关的项目记忆，但适用条件还没确认', '先确认当前任务的条件'],
  needs_resolution: ['已有相近的记忆，没有保存', '同一条就带 id 更新；不同就带 resolution="distinct" 再存'],
  needs_scope: ['项目未确认，没有保存', '先确认项目；用户要求存全局时传 scope="global"'],
  body_too_large: ['正文超过 4096 字节，没有保存', '精简或拆成多条后再存'],
  invalid_arguments: ['条件或字段不符合约定，没有保存', '改用登记过的键和取值'],
  revision_mismatch: ['这条记忆已被后来的修改更新，没有撤销', '重新查看当前版本后再决定'],
  nothing_to_undo: ['没有可以撤销的修改', '不要重试；重新查看当前版本'],
  unchanged: ['内容没有变化，没有写入', '不用重试'],
  write_failed: ['写入没有完成，内容保持原样', '等一会儿重试；持续失败请在面板查看'],
};

export const SCOPE_NOTES = {
  project_fact: '没有进全局：项目事实只在本项目成立；要进全局请改用别的 memoryClass',
  device_without_environment: '没有进全局：设备事实没有环境条件；补上 machine、targetOs、runtime 或 shell 之一即可',
  local_trace_without_environment: '没有进全局：文中写有本机路径、回环地址或端口；补上环境条件，或去掉这些内容即可',
};

export function message(code) {
  const [what, next] = TEXTS[code];
  return {what, next};
}

export const evicted = (title) => `已归档「${title}」腾位`;

export const render = (said) => (said ? `${said.what}。${said.next}。` : '');
