import { Problem } from '../../errors.ts'
import type { DashboardRow } from './migrations.ts'
import { faultsOf } from './model/check.ts'
import type { Content } from './model/schema.ts'
import type { DashboardUpdate } from './schema.ts'

const UNSAID: Omit<Content, 'name'> = {
  description: '',
  folder: '',
  tags: [],
  panels: [],
  variables: [],
  timeRange: { from: '-6h', to: 'now' },
  timeZone: 'UTC',
  refreshSeconds: null,
  links: []
}

/** The fields of the content in one order, so that equal contents are equal texts. */
const FIELDS = ['name', ...Object.keys(UNSAID)] as (keyof Content)[]

/** The content that a request asks for, on top of what was there before; throws everything that is wrong with it. */
export function contentOf(body: DashboardUpdate, before?: Content): Content {
  const known: Partial<Content> = before ?? UNSAID
  const said = body as Partial<Content>
  const content = Object.fromEntries(
    FIELDS.map((field) => [field, said[field] === undefined ? known[field] : said[field]])
  ) as Content
  const errors = faultsOf(content)
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
  return content
}

export const readContent = ({ content }: Pick<DashboardRow, 'content'>): Content => JSON.parse(content) as Content
