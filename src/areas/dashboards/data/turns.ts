/**
 * Works on so many items at a time. Work that takes long may let the next one begin by calling `pass`; no more than `atMost`
 * are under way all the same.
 */
export async function inTurns<T>(
  items: readonly T[],
  { atOnce, atMost }: { readonly atOnce: number; readonly atMost: number },
  work: (item: T, pass: () => void) => Promise<void>
): Promise<void> {
  const done = Promise.withResolvers<void>()
  const left = items.values()
  let active = 0
  let underWay = 0
  const begin = () => {
    while (active < atOnce && underWay < atMost) {
      const { value: item, done: isEnd } = left.next()
      if (isEnd) break
      active++
      underWay++
      let isActive = true
      const rest = () => {
        if (isActive) active--
        isActive = false
      }
      const pass = () => {
        rest()
        begin()
      }
      work(item, pass).then(() => {
        rest()
        underWay--
        begin()
      }, done.reject)
    }
    if (underWay === 0) done.resolve()
  }
  begin()
  return done.promise
}
