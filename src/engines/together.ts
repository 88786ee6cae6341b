/**
 * Asks once for all that is wanted in the same turn: many who begin together read what they need in one statement
 * rather than in one each.
 */
export function together<V>(
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>
): (key: string) => Promise<V | undefined> {
  let wanted: Set<string> | undefined
  let answers: Promise<ReadonlyMap<string, V>>
  return async (key) => {
    if (wanted === undefined) {
      const keys = new Set<string>()
      wanted = keys
      answers = Promise.resolve().then(() => {
        wanted = undefined
        return ask([...keys])
      })
    }
    wanted.add(key)
    return (await answers).get(key)
  }
}
