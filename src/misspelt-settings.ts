import { allSettings } from './config.ts'

/** In shorter names one letter makes another word: `POST` is no mistake for `PORT`. */
const MIN_CHARS = 6

/**
 * A sentence for each variable of the environment that somebody may have meant for a setting: but for underscores and case it is
 * one, or one letter was changed, left out, put in or swapped with the next. Farther ones are other programs' own.
 */
export function misspeltSettings(env: NodeJS.ProcessEnv): string[] {
  const names: string[] = allSettings().map(({ name }) => name)
  return Object.keys(env)
    .filter((written) => env[written] && !names.includes(written))
    .flatMap((written) => {
      const meant = names.find((name) => isMistyped(plain(written), plain(name)))
      return meant === undefined ? [] : [`${written} is not a setting and is ignored; ${meant} is one`]
    })
}

const plain = (name: string) => name.replaceAll('_', '').toLowerCase()

function isMistyped(written: string, meant: string): boolean {
  if (written === meant) return true
  if (meant.length < MIN_CHARS || Math.abs(written.length - meant.length) > 1) return false
  let start = 0
  while (start < meant.length && written[start] === meant[start]) start++
  let end = 0
  while (end < Math.min(written.length, meant.length) - start && written.at(-1 - end) === meant.at(-1 - end)) end++
  const [a, b] = [written, meant].map((text) => text.slice(start, text.length - end)) as [string, string]
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && a === `${b[1]}${b[0]}` && b.length === 2)
}
