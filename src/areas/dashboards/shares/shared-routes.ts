import type { IncomingMessage } from 'node:http'
import { watchCaller } from '../../../http/caller.ts'
import { Intake } from '../../../http/intake.ts'
import { BytesAnswer, type Route, read } from '../../../http/route.ts'
import { DashboardData, DashboardDataRequest } from '../data/schema.ts'
import { Problem } from '../errors.ts'
import type { Drawing, Look } from '../images/drawing.ts'
import { PICTURE } from '../images/schema.ts'
import type { ShareDoor } from './opening.ts'
import { pageHeaders, sharedPage } from './page.ts'
import { isAsking, toPage, withPasswordPage } from './password-page.ts'
import {
  SharedDashboard,
  SharedImageQuery,
  TokenParams,
  TokenQuery,
  UnlockBody,
  Unlocked,
  UnlockForm
} from './schema.ts'
import type { Showing } from './showing.ts'

const FORM = 'application/x-www-form-urlencoded'

const REFUSALS = [
  'share_not_found',
  'share_revoked',
  'share_expired',
  'share_maker_gone',
  'share_locked',
  'share_password_needed',
  'share_above_level',
  'share_variable_fixed',
  'share_busy',
  'rate_limited'
] as const

/** What whoever has a link can ask: these and nothing else. */
export function sharedRoutes(showing: Showing, door: ShareDoor, drawing: Drawing): Route[] {
  const forms = new Intake({ maxBytes: 4096, tooLarge: 'Send the password and nothing else.', busy: 'overloaded' })
  /** Where a password is missing, there is a page to type it into. */
  const askingForPassword = async <T>(token: string, open: () => Promise<T>): Promise<T> => {
    try {
      return await open()
    } catch (error) {
      throw isAsking(error) ? withPasswordPage(error, await door.framedBy(token)) : error
    }
  }
  /** Pages of these may read what is behind a link; its own page they may only frame. */
  const sites = async ({ token }: { token: string }): Promise<readonly string[]> =>
    JSON.parse((await door.framedBy(token)).origins)
  return [
    read(
      {
        path: '/dashboards/shared/:token/dashboard',
        operationId: 'getSharedDashboard',
        summary: 'Get the dashboard behind a link',
        description: 'Counts as a view. Nothing of where its data lie is told.',
        permission: 'public',
        sites,
        params: TokenParams,
        query: TokenQuery,
        answer: SharedDashboard,
        errors: [...REFUSALS]
      },
      ({ params, query, ip }) => showing.dashboard(params.token, query.access, ip)
    ),
    read(
      {
        method: 'POST',
        path: '/dashboards/shared/:token/data',
        operationId: 'getSharedDashboardData',
        summary: 'Get the data of panels behind a link',
        permission: 'public',
        sites,
        params: TokenParams,
        query: TokenQuery,
        body: DashboardDataRequest,
        answer: DashboardData,
        errors: [...REFUSALS, 'unprocessable']
      },
      async ({ params, query, body, raw }) => {
        const caller = watchCaller(raw)
        try {
          return { panels: await showing.data(params.token, query.access, body, caller.signal) }
        } finally {
          caller.release()
        }
      }
    ),
    read(
      {
        method: 'POST',
        path: '/dashboards/shared/:token/unlock',
        operationId: 'unlockSharedDashboard',
        summary: 'Send the password of a link',
        permission: 'public',
        sites,
        params: TokenParams,
        body: UnlockBody,
        answer: Unlocked,
        errors: [...REFUSALS, 'share_password_wrong']
      },
      ({ params, body }) => door.unlock(params.token, body.password)
    ),
    read(
      {
        path: '/dashboards/shared/:token/image',
        operationId: 'getSharedDashboardImage',
        summary: 'Get a picture of the dashboard behind a link',
        description: 'SVG, or PNG with `format=png`.',
        permission: 'public',
        sites,
        params: TokenParams,
        query: SharedImageQuery,
        answer: PICTURE,
        produces: 'image/svg+xml',
        alsoProduces: ['image/png'],
        errors: [...REFUSALS, 'unprocessable', 'overloaded']
      },
      async ({ params, query, raw }) => {
        const { drawn } = await drawnBehind(showing, params.token, query.access, raw)
        const look = query as Look
        return drawing.answer(drawing.dashboard(drawn, look), look)
      }
    ),
    read(
      {
        path: '/dashboards/shared/:token/page',
        operationId: 'getSharedDashboardPage',
        summary: 'Get a page that shows the dashboard behind a link',
        description:
          'For a browser, or a frame of the sites that the share names. It is made anew as often as the dashboard says. Counts as a view. Where the share has a password, a page to type it into comes with the refusal.',
        permission: 'public',
        params: TokenParams,
        query: TokenQuery,
        answer: PICTURE,
        produces: 'text/html',
        errors: [...REFUSALS, 'unprocessable']
      },
      async ({ params, query, raw, ip }) => {
        const { opened, drawn } = await askingForPassword(params.token, () =>
          drawnBehind(showing, params.token, query.access, raw)
        )
        await showing.noteView(opened, ip)
        const { name, refreshSeconds } = opened.content
        const page = Buffer.from(sharedPage(name, drawing.dashboard(drawn, {}), refreshSeconds))
        return new BytesAnswer(200, { ...pageHeaders(opened.row), 'content-length': String(page.length) }, page)
      }
    ),
    read(
      {
        method: 'POST',
        path: '/dashboards/shared/:token/page',
        operationId: 'unlockSharedDashboardPage',
        summary: 'Send the password of a link from its page',
        description:
          'What the form of the page sends. Leads to the page with what stands for the password for an hour as `access`.',
        permission: 'public',
        params: TokenParams,
        query: TokenQuery,
        stream: { mediaType: FORM, schema: UnlockForm },
        answer: PICTURE,
        produces: 'text/html',
        otherStatuses: [303],
        errors: [...REFUSALS, 'share_password_wrong', 'unsupported_media_type', 'payload_too_large']
      },
      async ({ params, raw, actor }) => {
        const password = await forms.take({ raw, actor }, async (body) => passwordIn(raw, body))
        const { access } = await askingForPassword(params.token, () => door.unlock(params.token, password))
        return toPage(access)
      }
    )
  ]
}

function passwordIn({ headers }: IncomingMessage, body: Uint8Array): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== FORM) throw new Problem('unsupported_media_type', { detail: `Send ${FORM}.` })
  return new URLSearchParams(Buffer.from(body).toString()).get('password') ?? ''
}

async function drawnBehind(showing: Showing, token: string, access: string | undefined, raw: IncomingMessage) {
  const opened = await showing.open(token, access)
  const caller = watchCaller(raw)
  try {
    return { opened, drawn: await showing.drawn(opened, caller.signal) }
  } finally {
    caller.release()
  }
}
