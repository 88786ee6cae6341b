import { contentPath, type Layout, temporaryPath } from './layout.ts'

/**
 * Runs `use` with the path of a content file: its final one, or the temporary one just after the commit. Undefined
 * where the file is gone.
 */
export async function withContentFile<T>(
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
