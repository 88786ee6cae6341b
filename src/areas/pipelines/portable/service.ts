import type { IncomingMessage } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { Vault } from '../../../engines/vault/index.ts'
import { Problem } from '../../../errors.ts'
import { faultsOf } from '../../../http/compilers.ts'
import { isYaml, readDocument, writeYaml } from '../../../http/documents/text.ts'
import { Intake, type Sent } from '../../../http/intake.ts'
import type { Actor } from '../../../http/permissions.ts'
import { BytesAnswer, type Performed } from '../../../http/route.ts'
import { type Pipeline, PipelineCreate } from '../definition/schema.ts'
import { hideSecrets } from '../definition/secrets.ts'
import type { Pipelines } from '../definition/service.ts'
import { requireSound, toNodes } from '../definition/validate.ts'
import { requirePipeline } from '../store/pipelines.ts'
import { nodesOf, versionOf } from '../store/versions.ts'

const MAX_BYTES = 1024 * 1024

interface Needs {
  readonly metadata: Metadata
  readonly vault: Vault
  readonly pipelines: Pipelines
}

/** Definitions of pipelines as files. */
export class Portable {
  readonly #needs: Needs
  readonly #intake = new Intake({
    maxBytes: MAX_BYTES,
    tooLarge: 'The definition of a pipeline may have 1 MiB.',
    busy: 'overloaded'
  })

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Secrets are masked: whoever imports it has to put them in. */
  async export(id: string, format: 'json' | 'yaml'): Promise<BytesAnswer> {
    const { db } = this.#needs.metadata
    const row = await requirePipeline(db, id)
    const nodes = nodesOf(await versionOf(db, row))
    const definition = { name: row.name, description: row.description, nodes }
    const text = format === 'json' ? `${JSON.stringify(definition, null, 2)}\n` : await writeYaml(definition)
    const body = Buffer.from(text)
    const headers = {
      'content-type': format === 'json' ? 'application/json; charset=utf-8' : 'application/yaml; charset=utf-8',
      'content-length': String(body.length),
      'content-disposition': `attachment; filename="${fileName(row.name)}.${format}"`
    }
    return new BytesAnswer(200, headers, body)
  }

  /** A pipeline out of a body, checked like one that is sent to be made. */
  async import(actor: Actor, raw: IncomingMessage): Promise<Performed<Pipeline>> {
    const { pipelines } = this.#needs
    const draft = pipelines.draft(actor, await pipelines.checked(actor, await this.#parse({ actor, raw })))
    return {
      ...draft.outcome,
      commit: draft.insert,
      headers: { location: `/api/pipelines/${draft.outcome.answer.id}` }
    }
  }

  /** Whether a body is the one that this pipeline was made from. */
  async isSame(sent: Sent, made: Pipeline): Promise<boolean> {
    const { name, description = '', nodes } = await this.#parse(sent)
    requireSound(toNodes(nodes))
    const hidden = hideSecrets(this.#needs.vault, made.id, toNodes(nodes)).nodes
    const known = { name: made.name, description: made.description, nodes: toNodes(made.nodes) }
    return isDeepStrictEqual({ name, description, nodes: hidden }, known)
  }

  async #parse({ raw, actor }: Sent): Promise<PipelineCreate> {
    const yaml = isYaml(raw.headers['content-type'])
    const document = await this.#intake.take({ raw, actor }, async (body) =>
      readDocument(Buffer.from(body.buffer), yaml)
    )
    const errors = faultsOf(PipelineCreate, document)
    if (errors.length > 0) throw new Problem('invalid_request', { errors })
    return document as PipelineCreate
  }
}

/** Letters that every system takes in a name. */
const fileName = (name: string): string => name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100) || 'pipeline'
