import type { IncomingMessage } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { Problem } from '../../../errors.ts'
import { faultsOf } from '../../../http/compilers.ts'
import { isYaml, readDocument, writeYaml } from '../../../http/documents/text.ts'
import { Intake, type Sent } from '../../../http/intake.ts'
import type { Actor } from '../../../http/permissions.ts'
import { BytesAnswer, type Performed } from '../../../http/route.ts'
import { contentOf } from '../definition.ts'
import { type Dashboard, DashboardFile } from '../schema.ts'
import type { Dashboards } from '../service.ts'

const MAX_BYTES = 5 * 1024 * 1024

interface Needs {
  readonly metadata: Metadata
  readonly dashboards: Dashboards
}

/** Dashboards as files. */
export class Portable {
  readonly #needs: Needs
  readonly #intake = new Intake({
    maxBytes: MAX_BYTES,
    tooLarge: 'A dashboard may have 5 MiB as a file.',
    busy: 'overloaded'
  })

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async export(actor: Actor, id: string, format: 'json' | 'yaml'): Promise<BytesAnswer> {
    const { content } = await this.#needs.dashboards.shown(actor, id)
    const text = format === 'json' ? `${JSON.stringify(content, null, 2)}\n` : await writeYaml(content)
    const body = Buffer.from(text)
    const headers = {
      'content-type': format === 'json' ? 'application/json; charset=utf-8' : 'application/yaml; charset=utf-8',
      'content-length': String(body.length),
      'content-disposition': `attachment; filename="${fileName(content.name)}.${format}"`
    }
    return new BytesAnswer(200, headers, body)
  }

  /** A dashboard out of a body, checked like one that is sent to be made. */
  async import(actor: Actor, raw: IncomingMessage): Promise<Performed<Dashboard>> {
    const draft = this.#needs.dashboards.draft(actor, await this.#parse({ actor, raw }))
    return { ...draft.outcome, commit: draft.insert }
  }

  /** Whether a body is the one that this dashboard was made from. */
  async isSame(sent: Sent, made: Dashboard): Promise<boolean> {
    const content = contentOf(await this.#parse(sent))
    return Object.entries(content).every(([field, value]) => isDeepStrictEqual(value, made[field as keyof Dashboard]))
  }

  async #parse({ raw, actor }: Sent): Promise<DashboardFile> {
    const yaml = isYaml(raw.headers['content-type'])
    const document = await this.#intake.take({ raw, actor }, async (body) =>
      readDocument(Buffer.from(body.buffer), yaml)
    )
    const errors = faultsOf(DashboardFile, document)
    if (errors.length > 0) throw new Problem('invalid_request', { errors })
    return document as DashboardFile
  }
}

/** Letters that every system takes in a name. */
const fileName = (name: string): string => name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100) || 'dashboard'
