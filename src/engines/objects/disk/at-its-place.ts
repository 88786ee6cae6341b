import { contentPath, type Layout, temporaryPath } from './layout.ts'

/** A content that was committed a moment ago may still be on the way from its temporary name. Undefined: it is gone. */
export async function atItsPlace<T>(
  layout: Layout,
  file: string,
  use: (path: string) => Promise<T>
): Promise<T | undefined> {
  for (const pathOf of [contentPath, temporaryPath, contentPath]) {
    try {
      return await use(pathOf(layout, file))
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error
    }
  }
  return undefined
}
