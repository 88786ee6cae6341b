import type { Terms } from './terms.ts'

export const EMAIL: Terms = {
  for: [
    'email*, mail, mails, e mail, mailaddr*, mailid, email id, recipient, sender, reply to',
    'mailadresse, *mailadresse, epostadresse, epost*, e post, courriel*, mel, correo*, correio*, posta elettronica, pec, poczta, mailadres, sähköposti*, eposta, e posta',
    'ηλεκτρονικό ταχυδρομείο, ιμέιλ, почта, эл почта, електронна пошта, пошта',
    '邮箱, 邮件, 电子邮件, 邮箱地址, 邮件地址, 電子郵件, メール, メールアドレス, 이메일, 메일, 이메일주소, 메일주소'
  ],
  against: ['message id, msgid']
}

export const PHONE: Terms = {
  for: [
    'phone*, *phone, ph no, ph num, ph number, phn, telephone*, tel, telno*, telnr*, telnum*, teln, mobile*, mobil, cellphone*, cellno, ' +
      'fax*, gsm, msisdn, whatsapp*, viber, mob, mobno, contact number, contact no, contact num, landline*, pager, work number, home number, emergency number, emergency no, mobile no, home no, work no, ' +
      'caller number, caller id, callback number, sms number, dial number, hotline',
    'telefon*, *telefon, *telefonnummer, rufnummer*, rufnr, *rufnummer, handy*, mobilnr, mobilnummer, mobiltelefon, mobilfunk*, notfallnummer, notruf*, festnetz*, durchwahl, faxnr, telf',
    'téléphone*, portable, numéro téléphone, tel fixe, tel portable, télécopie',
    'teléfono*, celular*, móvil*, tfno*, tlfno*, fono',
    'cellulare*, recapito telefonico, telefone*, telemóvel*, fone, tlm',
    'komórka, komórkowy, tel kom, stacjonarny, telefoon*, *telefoon, mobiel*, mobilnummer, tfn, tlf*, mobiltlf, riktnummer',
    'puhelin*, *puhelin, matkapuhelin*, puh, puhnro, kännykkä, cep, cep tel, ceptel*, cep telefonu, telefonszám, mobilszám',
    'τηλέφωνο*, τηλ, κινητό*, σταθερό τηλέφωνο, φαξ, tilefono*, kinito',
    'телефон*, тел, моб, мобильный, мобільний, сотовый, контактный номер, факс',
    '电话, 手机, 手机号, 电话号码, 手机号码, 联系方式, 联系电话, 固话, 座机, 传真, 電話, 手機, 行動電話, 電話號碼, 手機號碼, 傳真, 電話番号, 携帯, 携帯番号, 携帯電話番号, ファックス, ファクス',
    '전화, 전화번호, 연락처, 휴대폰, 휴대폰번호, 휴대전화, 핸드폰, 핸드폰번호, 휴대전화번호, 휴대번호, 팩스, 팩스번호',
    'dianhua, shouji*, lianxi dianhua, denwa*, denwabango, keitai*, jeonhwa*, hyudaepon'
  ],
  against: [
    'delta, change, diff, offset, balance, amount, id, imei, order*, invoice*, sku, part, serial, price, quantity, screen, extension, ext, os, app, bytes, data, cell id, cell tower'
  ],
  lastly: ['phone, telephone, mobile, cell, fax, telefon, handy, teléfono, celular, móvil, cellulare']
}
