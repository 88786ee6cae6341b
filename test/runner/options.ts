export type Kind = 'usual' | 'postgres' | 'long'

/** What of the suites is asked for. */
export interface Options {
  readonly kinds: readonly Kind[]
  readonly onlyChanged: boolean
  readonly remember: boolean
  readonly help: boolean
  /** Parts of paths; none means all. */
  readonly words: readonly string[]
}

export const USAGE = `npm test -- [--postgres] [--long] [--changed] [--remember] [word ...]

Runs the test files whose path holds one of the words, or all. Each runs once, on SQLite; those that begin with a line
'// Both: <why>' run on PostgreSQL too.

  --postgres  on PostgreSQL instead, whatever uses a database and does not begin with '// Once: <what it is about>'
  --long      the suites below test/long and those named *.long.test.ts, each with a database on both; with --postgres
              what either runs
  --changed   only what imports a file that differs from the branch main, or is not committed yet
  --remember  writes down how long each file took (test/runner/times.json), so that the longest start first
  --help      this`

const FLAGS = ['--postgres', '--long', '--changed', '--remember', '--help']

export function readOptions(given: readonly string[]): Options {
  const unknown = given.find((word) => word.startsWith('--') && !FLAGS.includes(word))
  if (unknown !== undefined) throw new Error(`${unknown} is not known; there is ${FLAGS.join(', ')}`)
  const has = (flag: string) => given.includes(flag)
  const kinds = (['long', 'postgres'] as const).filter((kind) => has(`--${kind}`))
  return {
    kinds: kinds.length > 0 ? kinds : ['usual'],
    onlyChanged: has('--changed'),
    remember: has('--remember'),
    help: has('--help'),
    words: given.filter((word) => !word.startsWith('--'))
  }
}
