import type { Migration } from './index.ts'

/** Migrations of which only the names are loaded until one of them has to run: at nearly every start none has to. */
export interface LateMigrations {
  readonly ids: readonly string[]
  load(): Promise<readonly Migration[]>
}

export function lateMigrations({ ids, load }: LateMigrations): Migration[] {
  let loaded: Promise<readonly Migration[]> | undefined
  return ids.map((id, index) => ({
    id,
    async up(db, type) {
      loaded ??= load().then((found) => requireNamed(found, ids))
      await (await loaded)[index]?.up(db, type)
    }
  }))
}

/** Refuses a migration whose name is not listed, because it would never run. */
function requireNamed(found: readonly Migration[], ids: readonly string[]): readonly Migration[] {
  const others = found.map(({ id }) => id)
  if (others.join() === ids.join()) return found
  throw new Error(`The migrations ${ids.join(', ')} are named, and there are ${others.join(', ')}`)
}
