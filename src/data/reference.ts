/**
 * A data reference names data anywhere in the platform: `object://bucket/key`, `series://source/tag`, `pipeline://id`,
 * `cluster://id/schema.table`, `connector://id/stream`, `model://name/version`, `dashboard://id`.
 */
export interface DataReference {
  readonly scheme: Scheme
  /** The bucket, source, pipeline, cluster, connector, model or dashboard. */
  readonly owner: string
  /** The key, tag, table, stream or version; empty where the reference is to all of the owner. */
  readonly path: string
}

/** Whether something may, must or can't follow the owner. */
const SCHEMES = {
  object: 'must',
  series: 'may',
  pipeline: 'not',
  cluster: 'must',
  connector: 'must',
  model: 'may',
  dashboard: 'not'
} as const

export type Scheme = keyof typeof SCHEMES

export const MAX_REFERENCE_CHARS = 1200

/** Reads a reference; answers what is wrong where the text is not one. */
export function parseReference(text: string): DataReference | { problem: string } {
  const [, scheme = '', owner = '', slash = '', path = ''] = /^([a-z]+):\/\/([^/]*)(\/?)(.*)$/su.exec(text) ?? []
  if (!Object.hasOwn(SCHEMES, scheme)) {
    return {
      problem: `must start with one of ${Object.keys(SCHEMES)
        .map((name) => `${name}://`)
        .join(' ')}`
    }
  }
  const rule = SCHEMES[scheme as Scheme]
  if (owner === '') return { problem: `must name something after ${scheme}://` }
  if (text.length > MAX_REFERENCE_CHARS) return { problem: `must have at most ${MAX_REFERENCE_CHARS} characters` }
  if (rule === 'not' && slash !== '') return { problem: `must end after ${scheme}://${owner}` }
  if (rule === 'must' && path === '') return { problem: `must go on after ${scheme}://${owner}/` }
  if (rule === 'may' && slash !== '' && path === '') return { problem: 'must not end with a slash' }
  return { scheme: scheme as Scheme, owner, path }
}

/** Whether it names data outside the platform, as the lineage calls them; nobody reads those here. */
export const isOutside = (text: string): boolean =>
  text.length <= MAX_REFERENCE_CHARS && /^dataset:\/\/[^/]+\/.+$/su.test(text)

export function formatReference({ scheme, owner, path }: DataReference): string {
  return path === '' ? `${scheme}://${owner}` : `${scheme}://${owner}/${path}`
}
