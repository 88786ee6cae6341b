import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../test/support/any-character.ts'
import { KINDS, type Kind } from './kinds.ts'
import { nameSays, nameWordsOf } from './names.ts'
import { plainWordsOf, wordsOf } from './words.ts'

/** Names of columns that speak for a kind, of tables in many languages, and some that are near to them and do not. */
const NAMES: Partial<Record<Kind, { readonly for: string; readonly not: string }>> = {
  phone: {
    for: 'homePhone TELF1 kd_tel custphone invoice_phone Notfalltelefon tel_kom celular1 fone1 puhelin_koti cep_no τηλέφωνο_οικίας моб_тел ТелефонКлиента 联系电话 电话号码1 携帯番号 휴대폰_번호',
    not: 'phone_model phone_type hotel cartel telemetry mobile_os order_no phone_count'
  },
  'person-name': {
    for: 'emp_lname CustLastName EMPNM NACHN Kundenname patientnavn klantnaam nom_de_famille apellido_paterno nome_mae imie_i_nazwisko etunimi hasta_adi_soyadi jmeno_pacienta όνομα_ασθενούς имя_клиента ФИОПациента 姓名 客户姓名 担当者 氏名 고객_이름 담당자명 product_owner responsable_tienda 产品负责人 name_native Sachbearbeiter',
    not: 'product_name productname pump_name hostname user_name nom_produit nombre_empresa nazwa_firmy 产品名称 ファイル名 회사명 patient_status customer_group manager_department guest_count имя_файла'
  },
  'postal-address': {
    for: 'addr_line1 STRAS Zustelladresse Rechnungsanschrift mailing_address direccion_envio endereço ulica_nr woonadres hemadress kotiosoite lakcim АдресДоставки διεύθυνση 收货地址 現住所 배송지 logradouro',
    not: 'email_address IP-Adresse mac_address wallet_address 邮箱地址 IP地址 メールアドレス 이메일주소 address_count E-Mail-Adresse'
  },
  'birth-date': {
    for: 'birthdt BIRTH_DT GBDAT gebdat geb_dat date_of_birth né(e)_le fec_nac dtNasc data_ur födelsedatum syntymäaika doğum_tarihi datum_narození ДатаРождения дата_нар ΗμΓέννησης 出生日期 生年月日 생년월일',
    not: 'gebaeude gebuehr created_at hire_date 生产日期 入社日 дата_заказа'
  },
  secret: {
    for: 'user_pwd smtp_pass DBPASS usrpwd db_user_password keystore_password WLAN-Schlüssel hasło salasana şifre ПарольПользователя 登录密码 パスワード 비밀번호 κωδικός_πρόσβασης',
    not: 'passport passport_no bypass compass password_hint token_count secretary passenger tokenizer password_changed_at'
  },
  coordinates: {
    for: 'y_wgs84 WGS84_X coord_x ycoord geo_breite szer_geogr_stacji breedtegraad leveysaste enlem широта 门店纬度 経度 위도 Breite',
    not: 'gps_speed gps_altitude lat_ms breite_mm valve_position flat_rate latency'
  },
  'national-id': {
    for: 'soc_sec_no αφμ снилс 身份证号码 マイナンバー 주민등록번호 vatandaşlık_no',
    not: 'order_no vat_id 订单号'
  },
  'mac-address': { for: 'wifi_mac hwaddr 物理地址 bt_addr MACアドレス', not: 'machine_no macro' }
}

const says = (name: string, kind: Kind) => nameSays(nameWordsOf(name), kind)

describe('names of columns', () => {
  it('speak for a kind in many languages, and not where they are about something else', () => {
    for (const [kind, names] of Object.entries(NAMES)) {
      for (const name of names.for.split(' ')) assert.equal(says(name, kind as Kind), 'for', `${kind}: ${name}`)
      for (const name of names.not.split(' ')) assert.notEqual(says(name, kind as Kind), 'for', `${kind}: ${name}`)
    }
  })

  it('are read in whatever way and alphabet they are written', () => {
    assert.deepEqual(wordsOf('ДатаРождения'), ['дата', 'рождения'])
    assert.deepEqual(wordsOf('ΗΜΕΡΟΜΗΝΊΑ Γέννησης'), ['ημερομηνια', 'γεννησησ'])
    assert.deepEqual(wordsOf('IP地址2'), ['ip', '地址'])
    assert.deepEqual(wordsOf('Müşteri Adı'), ['musteri', 'adi'])
    assert.deepEqual(wordsOf('ﾌﾘｶﾞﾅ'), wordsOf('フリガナ'))
    assert.deepEqual(plainWordsOf('Empfänger'), [['empfanger'], ['empfaenger']])
  })

  it('are divided where they are known words in one', () => {
    assert.deepEqual(nameWordsOf('custphone'), [['custphone'], ['cust', 'phone']])
    assert.deepEqual(nameWordsOf('telemetry'), [['telemetry']])
    assert.deepEqual(nameWordsOf('passport'), [['passport']])
    assert.deepEqual(nameWordsOf('date_of_birth'), [
      ['date', 'of', 'birth'],
      ['date', 'birth']
    ])
  })

  it('never fail, and say the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 300 }), (name) => {
        for (const kind of KINDS) assert.equal(says(name, kind), says(name, kind))
      }),
      { seed: 1, numRuns: 200 }
    )
  })
})
