import type { AreaNeeds } from './area.ts'

/** Makes a thing once for each platform: a declaration, of which there is one, has nowhere to keep it. */
export function oncePerPlatform<T>(make: (needs: AreaNeeds) => Promise<T>): (needs: AreaNeeds) => Promise<T> {
  const made = new WeakMap<AreaNeeds['metadata'], Promise<T>>()
  return (needs) => {
    const known = made.get(needs.metadata) ?? make(needs)
    made.set(needs.metadata, known)
    return known
  }
}
