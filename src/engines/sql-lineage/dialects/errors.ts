const OF_SQL = 'sql parser error:'

/**
 * What the parser says about SQL that it can't read; undefined for any other error. Both are of one class and have no code.
 * Others are WebAssembly out of memory or stack, after which it answers nothing any more.
 */
export function sqlErrorOf(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : ''
  return message.startsWith(OF_SQL) ? message.slice(OF_SQL.length).trim() : undefined
}
