import { readFileSync } from 'node:fs'

/** A change that a public test suite or documentation gives a verdict on. */
export interface PublicCase {
  readonly id: string
  readonly mode: string
  readonly old: string
  readonly new: string
  /** Versions before `old`, the oldest first. */
  readonly history?: readonly string[]
  readonly compatible: boolean
}

export function publicCases(file: URL): PublicCase[] {
  return JSON.parse(readFileSync(file, 'utf8')) as PublicCase[]
}
