import { test } from 'node:test'

/** A test that not every broker can pass: `why` says what this one lacks, whatever is installed. */
export function unlessLacking(why: string | undefined, name: string, body: () => Promise<void>): void {
  if (why === undefined) test(name, body)
}
