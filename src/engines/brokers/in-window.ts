/** Runs `work` for the items in order, at most `size` at a time; after a failure no other begins. */
export async function inWindow<T>(items: readonly T[], size: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const item = items[next] as T
      next += 1
      try {
        await work(item)
      } catch (error) {
        next = items.length
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(size, items.length) }, worker))
}
