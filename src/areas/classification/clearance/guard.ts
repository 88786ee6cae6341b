import { joinMasks, type Mask } from '../../../data/mask.ts'
import { type DataReference, formatReference, parseReference } from '../../../data/reference.ts'
import type { Actor } from '../../../http/permissions.ts'
import { aboveClearance, clearanceInWords } from './above-clearance.ts'
import { type LabelCache, NO_CLEARANCE, type RoleClearance } from './label-cache.ts'
import type { Label } from './labels.ts'
import type { Asker, MaskedReads } from './masked-reads.ts'
import { covers } from './owner-labels.ts'

interface Needs {
  readonly cache: LabelCache
  readonly masked: Pick<MaskedReads, 'note'>
  /** The data that a pipeline has put out, as references. */
  outputsOf(pipelineId: string): Promise<readonly string[]>
}

type Data = DataReference | string

/** Nothing of data that can't be told may be shown. */
const UNKNOWN: Label = {
  resource: '',
  level: '',
  rank: Number.POSITIVE_INFINITY,
  withoutClearance: 'refuse',
  columns: []
}

/**
 * Answers the one question of who may see which data. Every area that gives data out, or has them read for somebody, asks it
 * here; what the data are called and what they hold is up to labels, and what a caller may see to the clearance of the role.
 */
export class Guard {
  readonly #needs: Needs
  /** Reads that were refused or masked since the process began. */
  readonly counts = { refused: 0, masked: 0 }

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /**
   * Refuses callers above whose clearance anything of the data is: for bytes and points, which can't be masked, and for what
   * is to read by itself on behalf of the caller.
   */
  async requireAll(actor: Pick<Actor, 'role'>, data: readonly Data[]): Promise<void> {
    const clearance = await this.#needs.cache.clearanceOf(actor.role)
    for (const one of data) this.#refuse(actor, clearance, one, await this.#above(clearance, one, false))
  }

  /** The same for one object, whose key is no pattern. */
  requireObject(actor: Pick<Actor, 'role'>, bucket: string, key: string): Promise<void> {
    return this.#requireParts(actor, { scheme: 'object', owner: bucket }, [key])
  }

  /** The same for tags of a source, all of them where none are named. */
  requireTags(actor: Pick<Actor, 'role'>, sourceId: string, tags: readonly string[] = ['']): Promise<void> {
    return this.#requireParts(actor, { scheme: 'series', owner: sourceId }, tags)
  }

  /** Those of the tags whose values the caller may not see. The audit trail is told that they are masked. */
  async maskedTags(asker: Asker, sourceId: string, tags: readonly string[]): Promise<ReadonlySet<string>> {
    const { cache, masked } = this.#needs
    const clearance = await cache.clearanceOf(asker.actor.role)
    const labels = await cache.labelsOf({ scheme: 'series', owner: sourceId })
    if (labels.strictest <= clearance.rank) return new Set()
    const above = new Map<string, readonly Label[]>()
    for (const tag of tags) {
      const found = labels.touching(tag, true).filter(({ rank }) => rank > clearance.rank)
      if (found.length > 0) above.set(tag, found)
    }
    if (above.size > 0) {
      this.counts.masked++
      await masked.note(asker, { data: `series://${sourceId}`, labels: [...above.values()].flat(), clearance })
    }
    return new Set(above.keys())
  }

  /** What has to be masked of data for a caller; refuses where a level says so. The audit trail is told of a mask. */
  async maskFor(asker: Asker, data: readonly Data[]): Promise<Mask | undefined> {
    const { actor } = asker
    const clearance = await this.#needs.cache.clearanceOf(actor.role)
    const masks: (Mask | undefined)[] = []
    for (const one of data) {
      const above = await this.#above(clearance, one, false)
      const refusing = above.filter(({ withoutClearance }) => withoutClearance === 'refuse')
      this.#refuse(actor, clearance, one, refusing)
      masks.push(maskOf(above))
      if (above.length === 0) continue
      this.counts.masked++
      await this.#needs.masked.note(asker, { data: textOf(one), labels: above, clearance })
    }
    return joinMasks(masks)
  }

  /** The masks of relations of a query, by their names. */
  async masksFor(asker: Asker, relations: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, Mask>> {
    const masks = new Map<string, Mask>()
    for (const [alias, reference] of Object.entries(relations)) {
      const mask = await this.maskFor(asker, [reference])
      if (mask !== undefined) masks.set(alias, mask)
    }
    return masks
  }

  /** What has to be masked of data that are shown to a caller beside something else; there, what is refused is masked too. */
  async maskOf(actor: Pick<Actor, 'role'>, data: readonly Data[]): Promise<Mask | undefined> {
    return this.#maskUnder(await this.#needs.cache.clearanceOf(actor.role), data)
  }

  /** What has to be masked where everybody is shown the same, whatever their role. */
  async maskForAll(data: readonly Data[]): Promise<Mask | undefined> {
    return this.#maskUnder(await this.#needs.cache.least(), data)
  }

  /** The rank up to which a link to an object may show it: what its level is now, or what all may see. */
  async rankOfLink(bucket: string, key: string): Promise<number> {
    const touching = await this.#touching({ scheme: 'object', owner: bucket, path: key }, true)
    const { rank } = await this.#needs.cache.least()
    return Math.min(Math.max(rank, ...touching.map((label) => label.rank)), MAX_RANK)
  }

  /** Whether an object is above a rank; null stands for what all may see. */
  async isObjectAbove(bucket: string, key: string, rank: number | null): Promise<boolean> {
    const allowed = rank ?? (await this.#needs.cache.least()).rank
    const touching = await this.#touching({ scheme: 'object', owner: bucket, path: key }, true)
    return touching.some((label) => label.rank > allowed)
  }

  /** The rank up to which something may show data to whoever has a link to it: that of their levels now, or what all may see. */
  async rankOf(data: readonly Data[]): Promise<number> {
    const ranks = [(await this.#needs.cache.least()).rank]
    for (const one of data) for (const { rank } of await this.#touching(one, false)) ranks.push(rank)
    return Math.min(Math.max(...ranks), MAX_RANK)
  }

  /** Whether anything of the data is above a rank. */
  async isAbove(data: readonly Data[], rank: number): Promise<boolean> {
    for (const one of data) {
      if ((await this.#touching(one, false, rank)).some((label) => label.rank > rank)) return true
    }
    return false
  }

  /** Whether an object, or anything of it, has a level. */
  async hasLevel(bucket: string, key: string): Promise<boolean> {
    return (await this.#touching({ scheme: 'object', owner: bucket, path: key }, true)).length > 0
  }

  /** What a role may see, in words. */
  async inWords(role: Actor['role']): Promise<string> {
    return clearanceInWords(await this.#needs.cache.clearanceOf(role))
  }

  /** Asks for the labels of an owner once, however many of its parts are meant. */
  async #requireParts(
    actor: Pick<Actor, 'role'>,
    owner: Pick<DataReference, 'scheme' | 'owner'>,
    paths: readonly string[]
  ): Promise<void> {
    const { cache } = this.#needs
    const clearance = await cache.clearanceOf(actor.role)
    if (clearance.rank === Number.POSITIVE_INFINITY) return
    const labels = await cache.labelsOf(owner)
    if (labels.strictest <= clearance.rank) return
    for (const path of paths) {
      const above = labels.touching(path, true).filter(({ rank }) => rank > clearance.rank)
      this.#refuse(actor, clearance, { ...owner, path }, above)
    }
  }

  async #maskUnder(clearance: RoleClearance, data: readonly Data[]): Promise<Mask | undefined> {
    const masks: (Mask | undefined)[] = []
    for (const one of data) masks.push(maskOf(await this.#above(clearance, one, false)))
    return joinMasks(masks)
  }

  async #above({ rank }: RoleClearance, data: Data, isKey: boolean): Promise<readonly Label[]> {
    if (rank === Number.POSITIVE_INFINITY) return NONE
    const touching = await this.#touching(data, isKey, rank)
    return touching.filter((label) => label.rank > rank)
  }

  /** The labels of data that may be above a rank. What a pipeline has put out has the labels of where it lies, too. */
  async #touching(data: Data, isKey: boolean, above = NO_CLEARANCE.rank): Promise<readonly Label[]> {
    const reference = typeof data === 'string' ? parseReference(data) : data
    if ('problem' in reference) return [UNKNOWN]
    const labels = await this.#needs.cache.labelsOf(reference)
    const own = labels.strictest > above ? labels.touching(reference.path, isKey) : NONE
    if (reference.scheme !== 'pipeline') return own
    const found = [...own]
    for (const output of await this.#needs.outputsOf(reference.owner)) {
      found.push(...(await this.#touching(output, false, above)))
    }
    return found
  }

  #refuse(actor: Pick<Actor, 'role'>, clearance: RoleClearance, data: Data, above: readonly Label[]): void {
    const strictest = above.toSorted((a, b) => b.rank - a.rank)[0]
    if (strictest === undefined) return
    this.counts.refused++
    const reference = typeof data === 'string' ? parseReference(data) : data
    const isNamed = !('problem' in reference) && covers(strictest, reference)
    throw aboveClearance({ data: textOf(data), label: strictest, isNamed, clearance, role: actor.role })
  }
}

const NONE: readonly Label[] = []
/** The highest rank that a level can have. */
const MAX_RANK = 1000

const textOf = (data: Data): string => (typeof data === 'string' ? data : formatReference(data))

function maskOf(above: readonly Label[]): Mask | undefined {
  return joinMasks(above.map(({ columns }) => (columns.length === 0 ? 'all' : columns)))
}
