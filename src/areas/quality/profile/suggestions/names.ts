const MAX_WORDS_CHARS = 100
const MAX_DATASET_CHARS = 80
/** How often a name is tried with a number. */
const MAX_ROUNDS = 20

/** The name of a suggested rule: what it says, and of which data. */
export const nameOf = (words: string, dataset: string): string =>
  `${shortened(oneLine(words), MAX_WORDS_CHARS)} in ${shortened(oneLine(dataset), MAX_DATASET_CHARS)}`

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim()

/** Long texts keep both ends. Characters stay whole. */
function shortened(text: string, max: number): string {
  const chars = [...text]
  if (chars.length <= max) return text
  const half = Math.floor(max / 2)
  return `${chars.slice(0, half).join('')}…${chars.slice(1 - half).join('')}`
}

/** Gives names that are taken, by a rule or among themselves, a number; those that find none in so many rounds stay as they are. */
export async function freeNames(
  wanted: readonly string[],
  takenAmong: (names: readonly string[]) => Promise<ReadonlySet<string>>
): Promise<string[]> {
  const names = [...wanted]
  let open = [...names.keys()]
  const given = new Set<string>()
  for (let round = 2; open.length > 0 && round < MAX_ROUNDS; round++) {
    const taken = await takenAmong(open.map((at) => names[at] as string))
    open = open.filter((at) => {
      const name = names[at] as string
      const isTaken = taken.has(name) || given.has(name)
      if (isTaken) names[at] = `${wanted[at]} (${round})`
      else given.add(name)
      return isTaken
    })
  }
  return names
}
