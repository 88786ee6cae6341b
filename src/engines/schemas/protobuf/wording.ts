import type { Difference, Who } from '../format.ts'
import type { Words } from '../rules.ts'

// Paths are `/shop.Order` for a type and `/shop.Order/3` or `/shop.Order/payment` for what is in it.

/** What the words in sentences of rules stand for. */
export const words = {
  before: ({ before }) => String(before),
  after: ({ after }) => String(after),
  type: ({ path }) => path.slice(1),
  owner: ownerOf,
  member: memberOf,
  field: (difference) => `field ${memberOf(difference)} of ${ownerOf(difference)}`,
  Field: (difference) => `Field ${memberOf(difference)} of ${ownerOf(difference)}`,
  place: ({ path }) => (path === '' ? 'the file' : path),
  'list before': ({ before }) => list(before),
  'list after': ({ after }) => list(after),
  'default before': ({ before }) => defaultIn(before),
  'default after': ({ after }) => defaultIn(after),
  'package before': ({ before }) => String(before || 'none'),
  'package after': ({ after }) => String(after || 'none'),
  'packing before': ({ before }) => (before ? 'packed' : 'not packed'),
  'who can tell': ({ before }, { writer, reader }) =>
    before
      ? `data of ${writer}, but not by readers of ${reader}`
      : `what readers of ${reader} see, but is not in data of ${writer}`,
  'both labels': bothLabels
} satisfies Words

function ownerOf({ path }: Difference): string {
  return path.slice(1, path.lastIndexOf('/'))
}

function memberOf({ path }: Difference): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function list(values: unknown): string {
  if (!Array.isArray(values) || values.length === 0) return 'nothing'
  return values.join(', ')
}

function defaultIn(value: unknown): string {
  return value === undefined ? 'the default of its type' : JSON.stringify(value)
}

/** What a field of numbers is to each side, and what follows from that. */
function bothLabels(difference: Difference, { writer, reader }: Who): string {
  const [before, after] = [String(difference.before), String(difference.after)]
  if (before.startsWith('repeated')) {
    return `written as a list (${before}) by ${writer}, of which readers of ${reader}, who expect one number, see the last or none`
  }
  if (after.startsWith('repeated')) {
    return `one number (${before}) for ${writer} and a list (${after}), which is encoded differently, for readers of ${reader}`
  }
  return `${before} for ${writer} and ${after} for readers of ${reader}, so that they disagree on whether a number may be missing`
}
