import type { Terms } from './terms.ts'

export const SECRET: Terms = {
  for: [
    'password*, *password, passwd*, pwd*, *pwd, passw, pass word, pswd, psw, pw, passphrase*, pass phrase, passkey, secret*, *secret, token, tokens, *token, api key*, ' +
      'apikey*, access key*, accesskey*, private key*, privatekey*, privkey, credential*, creds, auth key, authkey, auth token, authorization, auth header, bearer, client secret, ' +
      'signing key, session key, encryption key, enc key, master key, shared key, key secret, psk, preshared key, pre shared key, wpa, wpa key, wifi key, wlan key, wlan schlüssel, totp*, otp seed, mfa seed, ' +
      'recovery code*, backup code*, seed phrase, mnemonic, connection string, connstr*, conn str*',
    'passwort*, *passwort, kennwort*, *kennwort, zugangscode, geheim*, mot de passe, motdepasse, mdp, contraseña*, clave, parola, parola chiave, senha*, palavra passe, palavrapasse',
    'hasło*, wachtwoord*, *wachtwoord, lösenord*, passord*, adgangskode*, kodeord*, salasana*, şifre*, heslo*, jelszó*, lozinka*, geslo, parolă, parool, slaptažodis',
    'κωδικός πρόσβασης, συνθηματικό, пароль*, пароля, секрет*, токен*, parol, mima, kouling, bimilbeonho',
    '密码, 口令, 密钥, 秘钥, 令牌, 密碼, 金鑰, パスワード, 暗証番号, 秘密鍵, トークン, シークレット, 認証キー, 비밀번호, 암호, 비번, 토큰, 인증키'
  ],
  against: [
    'santa, name, hint, question, token id, secret id, session id, position, symbol, address, expires, expiry, last, next, public, username, user name, idx, index',
    'passport*, secretar*, boarding*, lift pass, ski pass, bus pass, pass fail, policy*, rule*, producto*, artículo*, producto, cliente, contract, pair, minutes'
  ],
  lastly: [
    'password, passwd, pwd, pass, secret, api key, apikey, passwort, kennwort, mot de passe, contraseña, senha, hasło, şifre, heslo, пароль'
  ]
}
