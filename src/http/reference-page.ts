import { escapeHtml, page, prose } from './html.ts'

interface Schema {
  $ref?: string
  [field: string]: unknown
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: [string]
  parameters: { name: string; in: string; required: boolean; description: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
}

interface Description {
  info: { version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** The reference for people: the OpenAPI description as one page that needs no script. */
export function referencePage(api: Record<string, unknown>): string {
  const { info, tags, paths, components } = api as unknown as Description
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  )
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags[0] === name)
    const items = own.map(({ path, method, operation }) => operationHtml(path, method, operation))
    return `<h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2><p>${prose(description)}</p>${items.join('')}`
  })
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>${schemaHtml(schema)}</details>`
  )
  return page(
    'API reference',
    `<h1>Millrace API ${escapeHtml(info.version)}</h1>
<p><a href="/">Sign in</a> · <a href="/api/openapi.json">OpenAPI</a> · <a href="/api/docs/errors">Errors</a></p>
${info.description
  .split('\n\n')
  .map((text) => `<p>${prose(text)}</p>`)
  .join('')}
<p>${tags.map(({ name }) => `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`).join(' · ')} · <a href="#schemas">schemas</a></p>
${sections.join('\n')}
<h2 id="schemas">schemas</h2>
${schemas.join('\n')}`
  )
}

function operationHtml(path: string, method: string, operation: Operation): string {
  const body = Object.values(operation.requestBody?.content ?? {})[0]
  const parameters = operation.parameters.map(
    ({ name, in: place, required, description }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}${required ? ', required' : ''}</td><td>${prose(description)}</td></tr>`
  )
  const answers = Object.entries(operation.responses).map(([status, { description, content = {} }]) => {
    const [first] = Object.values(content)
    const link = first?.schema.$ref === undefined ? '' : ` ${schemaHtml(first.schema)}`
    return `<tr><td>${escapeHtml(status)}</td><td>${prose(description)}${link}</td></tr>`
  })
  return `<details id="${escapeHtml(operation.operationId)}">
<summary><span class="method">${escapeHtml(method.toUpperCase())}</span><code>${escapeHtml(path)}</code><span class="quiet">${prose(operation.summary)}</span></summary>
${(operation.description ?? '')
  .split('\n\n')
  .map((text) => `<p>${prose(text)}</p>`)
  .join('')}
${parameters.length > 0 ? `<h3>Parameters</h3><table>${parameters.join('')}</table>` : ''}
${body === undefined ? '' : `<h3>Body</h3>${schemaHtml(body.schema)}`}
<h3>Answers</h3><table>${answers.join('')}</table>
</details>`
}

function schemaHtml(schema: Schema): string {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return `<a href="#schema-${escapeHtml(name)}"><code>${escapeHtml(name)}</code></a>`
  return `<pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`
}
