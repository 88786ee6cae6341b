import { test } from 'node:test'

/** A promise that not every broker can be held to: `why` says what this one lacks. No program that can be installed changes that. */
export function unlessLacking(why: string | undefined, name: string, body: () => Promise<void>): void {
  if (why === undefined) test(name, body)
}
