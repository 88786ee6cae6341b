import type { TestContext } from 'node:test'
import type { TestApp } from '../app.ts'

/** Objects that the store of a bucket is told to make from now on, and whether all may see them at that moment. */
export async function seenWhenMade(
  t: TestContext,
  test: TestApp,
  bucket: string
): Promise<{ readonly key: string; readonly isOpen: boolean }[]> {
  const { opener } = await test.app.service('buckets')
  const { guard } = await test.app.service('classification')
  const { store, backend } = await opener.open(bucket)
  const seen: { key: string; isOpen: boolean }[] = []
  const look = async (into: string, key: string) => {
    if (into === backend) seen.push({ key, isOpen: !(await guard.isObjectAbove(bucket, key, null)) })
  }
  const [put, copy] = [store.put.bind(store), store.copy.bind(store)]
  t.mock.method(store, 'put', async (...given: Parameters<typeof put>) => {
    await look(given[0], given[1])
    return put(...given)
  })
  t.mock.method(store, 'copy', async (...given: Parameters<typeof copy>) => {
    await look(given[1].bucket, given[1].key)
    return copy(...given)
  })
  return seen
}
