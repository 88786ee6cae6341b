// The link printed at first start carries the token behind a '#', which browsers never send. It is moved out of the
// address at once and kept for this tab only.
const KEY = 'millrace-token'
const form = document.querySelector('#sign-in')
const signedIn = document.querySelector('#signed-in')
const alertBox = document.querySelector('[role=alert]')

const given = new URLSearchParams(location.hash.slice(1)).get('token')
if (given) {
  sessionStorage.setItem(KEY, given)
  history.replaceState(null, '', location.pathname)
}

async function show() {
  const token = sessionStorage.getItem(KEY)
  form.hidden = token !== null
  signedIn.hidden = true
  if (token === null) return
  const response = await fetch('/api/users/me', { headers: { authorization: `Bearer ${token}` } })
  const body = await response.json()
  if (!response.ok) {
    alertBox.textContent = body.detail
    sessionStorage.removeItem(KEY)
    form.hidden = false
    return
  }
  alertBox.textContent = ''
  document.querySelector('#name').textContent = body.user.name
  document.querySelector('#role').textContent = body.role ?? 'none'
  document.querySelector('#permissions').textContent = body.permissions.join('  ')
  signedIn.hidden = false
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  sessionStorage.setItem(KEY, new FormData(form).get('token').trim())
  form.reset()
  void show()
})
document.querySelector('#sign-out').addEventListener('click', () => {
  sessionStorage.removeItem(KEY)
  void show()
})
void show()
