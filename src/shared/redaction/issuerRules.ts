import {
  alphanumeric,
  base64Characters,
  dashes,
  equals,
  other,
  period,
  plusSlash,
  wordCharacters,
} from './characters.ts';

/** A format of secrets that an issuer marks with a prefix. */
export interface IssuerRule {
  /** The name in docs/secrets.md, which also has the source of each format. */
  readonly name: string;
  readonly prefixes: readonly string[];
  /** The characters after the prefix, as a set of `characters.ts`. */
  readonly alphabet: number;
  /** The minimum number of characters after the prefix. */
  readonly min: number;
  /** What the text after the prefix must match. Without a shape, the text must look random. */
  readonly shape?: RegExp;
}

const base64Url = wordCharacters;
const hex = /^[0-9a-f]+$/i;
const capitals = /^[A-Z0-9]+$/;

function rule(name: string, prefixes: string, alphabet: number, min: number, shape?: RegExp): IssuerRule {
  return { name, prefixes: prefixes.split(' '), alphabet, min, ...(shape && { shape }) };
}

const codeHosts: readonly IssuerRule[] = [
  rule('GitHub token', 'ghp_ gho_ ghu_ ghs_ ghr_', base64Url | period, 36),
  rule('GitHub fine-grained token', 'github_pat_', base64Url, 22),
  rule('GitLab personal access token', 'glpat-', base64Url | period, 20),
  rule('GitLab deploy token', 'gldt-', base64Url | period, 20),
  rule('GitLab runner token', 'glrt- glrtr-', base64Url | period, 20),
  rule('GitLab CI job token', 'glcbt-', base64Url | period, 20),
  rule('GitLab pipeline trigger token', 'glptt-', base64Url, 20),
  rule('GitLab feed token', 'glft-', base64Url, 20),
  rule('GitLab incoming mail token', 'glimt-', base64Url, 20),
  rule('GitLab agent token', 'glagent-', base64Url, 20),
  rule('GitLab OAuth secret', 'gloas-', base64Url, 20),
  rule('GitLab SCIM token', 'glsoat-', base64Url, 20),
  rule('GitLab feature flags token', 'glffct-', base64Url, 20),
  rule('GitLab workspace token', 'glwt-', base64Url, 20),
  rule('GitLab runner registration token', 'GR1348941', base64Url, 20),
  rule('Bitbucket app password', 'ATBB', alphanumeric, 32),
  rule('Atlassian token', 'ATATT3 ATCTT3 ATSTT3', base64Url | equals, 60),
  rule('Sourcegraph token', 'sgp_ sgd_ slk_', base64Url, 40),
  rule('Buildkite token', 'bkua_ bkaa_ bkaj_ bkct_ bkpi_', base64Url | period, 32),
  rule('CircleCI token', 'CCIPAT_ CCIPRJ_', base64Url, 40),
  rule('SonarQube token', 'squ_ sqp_ sqa_', alphanumeric, 40),
  rule('Merge Freeze token', 'mfb_ mfo_', alphanumeric, 24),
  rule('Snyk token', 'snyk_uat. snyk_sat.', base64Url | period, 30),
];

const registries: readonly IssuerRule[] = [
  rule('npm token', 'npm_', alphanumeric, 36),
  rule('PyPI token', 'pypi-', base64Url, 50),
  rule('RubyGems token', 'rubygems_', alphanumeric, 48, hex),
  rule('crates.io token', 'cio', alphanumeric, 32, /^(?=.*\d)(?=.*[A-Z])[A-Za-z0-9]{32}$/),
  rule('Clojars token', 'CLOJARS_', alphanumeric, 60),
  rule('NuGet key', 'oy2', alphanumeric, 43, /^[a-z0-9]{43}$/),
  rule('Docker Hub token', 'dckr_pat_ dckr_oat_', base64Url, 20),
  rule('JFrog API key', 'AKCp', alphanumeric, 60),
  rule('JFrog reference token', 'cmVmdGtu', alphanumeric, 50),
];

const clouds: readonly IssuerRule[] = [
  rule('AWS access key ID', 'AKIA ASIA ABIA ACCA A3T', alphanumeric, 14, /^[A-Z0-9]{16,17}$/),
  rule('AWS Bedrock key', 'ABSK', base64Characters, 100),
  rule('AWS Bedrock short-lived key', 'bedrock-api-key-', base64Url | plusSlash | equals, 30),
  rule('Google API key', 'AIza', base64Url, 35),
  rule('Google API key (newer)', 'AQ.Ab8', base64Url, 30),
  rule('Google OAuth secret', 'GOCSPX-', base64Url, 24),
  rule('Google OAuth access token', 'ya29.', base64Url | period, 20),
  rule('Google OAuth refresh token', '1//0', base64Url, 30),
  rule('Firebase Cloud Messaging key', 'APA91b', base64Url, 100),
  rule('DigitalOcean token', 'dop_v1_ doo_v1_ dor_v1_', alphanumeric, 64, hex),
  rule('Heroku token', 'HRKU-', base64Url, 36),
  rule('Alibaba Cloud key ID', 'LTAI', alphanumeric, 12, /^(?=.*\d)[A-Za-z0-9]{12,26}$/),
  rule('Tencent Cloud key ID', 'AKID', alphanumeric, 32, /^(?=.*\d)[A-Za-z0-9]{32}$/),
  rule('Yandex Cloud key', 'AQVN', base64Url, 35),
  rule('Yandex Cloud token', 't1.', base64Url | period | equals, 80),
  rule('Cloudflare origin CA key', 'v1.0-', base64Url, 120),
  rule('Fly.io token', 'fo1_ fm1r_ fm1a_ fm2_', base64Url | plusSlash | equals, 40),
  rule('Vercel token', 'vcp_ vci_ vca_ vcr_ vck_', base64Url, 24),
  rule('Vercel Blob token', 'vercel_blob_rw_', base64Url, 30),
  rule('Netlify token', 'nfp_ nfo_ nfc_ nfu_ nfb_', alphanumeric, 36),
  rule('Render key', 'rnd_', alphanumeric, 28),
  rule('Scalingo token', 'tk-us-', base64Url, 40),
  rule('OpenShift token', 'sha256~', base64Url, 43),
  rule('HashiCorp Vault token', 'hvs. hvb. hvr.', base64Url, 24),
  rule('HCP Terraform token', 'atlasv1.', base64Url | equals, 60),
  rule('Doppler token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', base64Url | period, 40),
  rule('Pulumi token', 'pul-', alphanumeric, 40, hex),
  rule('1Password service account token', 'ops_eyJ', base64Url | plusSlash | equals, 60),
  rule('Infracost key', 'ico-', alphanumeric, 32),
  rule('Tailscale key', 'tskey-', base64Url, 20),
];

const databases: readonly IssuerRule[] = [
  rule('PlanetScale credential', 'pscale_tkn_ pscale_pw_ pscale_oauth_', base64Url | period | equals, 32),
  rule('Supabase key', 'sbp_ sb_secret_', base64Url, 30),
  rule('Neon key', 'napi_', base64Url, 40),
  rule('Databricks token', 'dapi dkea dose', alphanumeric | dashes, 32, /^[0-9a-f]{32}(?:-\d+)?$/),
  rule('Confluent secret', 'cflt', alphanumeric | plusSlash, 40),
  rule('ClickHouse Cloud key', '4b1d', alphanumeric, 38, /^[A-Za-z0-9]{38}$/),
  rule('MongoDB Atlas secret', 'mdb_sa_sk_', base64Url, 20),
  rule('Contentful token', 'CFPAT-', base64Url, 40),
  rule('Airtable token', 'pat', alphanumeric | period, 40, /^[A-Za-z0-9]{14}\.[0-9a-f]{64}$/),
];

const models: readonly IssuerRule[] = [
  rule('Anthropic key', 'sk-ant-', base64Url, 20),
  rule('OpenAI key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', base64Url, 20),
  rule('OpenRouter key', 'sk-or-', base64Url, 30),
  rule('Key that begins with sk-', 'sk-', base64Url, 20),
  rule('Hugging Face token', 'hf_ api_org_', alphanumeric, 30),
  rule('Groq key', 'gsk_', alphanumeric, 40),
  rule('xAI key', 'xai-', base64Url, 40),
  rule('Perplexity key', 'pplx-', alphanumeric, 40),
  rule('Replicate token', 'r8_', alphanumeric, 36),
  rule('Fireworks key', 'fw_', alphanumeric, 22),
  rule('Cerebras key', 'csk-', base64Url, 40),
  rule('NVIDIA key', 'nvapi-', base64Url, 40),
  rule('LangSmith key', 'lsv2_', base64Url, 36),
  rule('Langfuse key', 'sk-lf-', base64Url, 30),
  rule('Pinecone key', 'pcsk_', base64Url, 40),
  rule('E2B key', 'e2b_', alphanumeric, 36),
  rule('Tavily key', 'tvly-', base64Url, 28),
  rule('Firecrawl key', 'fc-', alphanumeric, 32, hex),
  rule('ElevenLabs key', 'sk_', alphanumeric, 40, hex),
  rule('Voyage AI key', 'pa-', base64Url, 40),
  rule('Weights & Biases key', 'wandb_v1_', base64Url, 30),
  rule('Factory key', 'fk-', base64Url, 20),
  rule('Together AI key', 'tgp_v1_', base64Url, 30),
  rule('Cursor key', 'key_', alphanumeric, 40, hex),
];

const messaging: readonly IssuerRule[] = [
  rule('Slack token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xoxe.xoxb- xoxe.xoxp-', base64Url, 10),
  rule('Slack app token', 'xapp- xwfp-', base64Url, 20),
  rule(
    'Discord bot token',
    'MD MT Mj Mz ND NT Nj Nz OD OT',
    base64Url | period,
    50,
    /^[\w-]{16,26}\.[\w-]{6}\.[\w-]{27,40}$/,
  ),
  rule('Twilio key', 'SK', alphanumeric, 32, /^[0-9a-f]{32}$/),
  rule('SendGrid key', 'SG.', base64Url | period, 33, /^[\w-]{16,64}\.[\w-]{16,64}$/),
  rule('Brevo key', 'xkeysib- xsmtpsib-', base64Url, 64),
  rule('Mailgun key', 'key-', alphanumeric, 32, hex),
  rule('Resend key', 're_', base64Url, 24, /^(?=.*\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{24,}$/),
  rule('Facebook token', 'EAA', alphanumeric, 80),
  rule('Instagram token', 'IGQV IGAA', base64Url, 60),
  rule('X (Twitter) bearer token', 'AAAAAAAAAAAAAAAAAAAAA', base64Url | plusSlash | equals, 40),
];

const payments: readonly IssuerRule[] = [
  rule('Stripe key', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_', alphanumeric, 16),
  rule('Stripe webhook secret', 'whsec_', base64Characters, 24),
  rule('Shopify token', 'shpat_ shpca_ shppa_ shpss_ shpua_ shpit_', alphanumeric, 32, hex),
  rule('Square token', 'sq0atp- sq0csp- sq0idp- EAAA', base64Url, 22),
  rule('Braintree token', 'access_token$production$ access_token$sandbox$', alphanumeric | other, 32),
  rule('Plaid token', 'access-sandbox- access-development- access-production-', base64Url, 36),
  rule('Flutterwave key', 'FLWSECK_TEST- FLWSECK-', base64Url, 12),
  rule('Razorpay key', 'rzp_live_ rzp_test_', alphanumeric, 14),
  rule('Paddle key', 'pdl_live_apikey_ pdl_sdbx_apikey_ pdl_ntfset_', base64Url, 40),
  rule('Mollie, GoCardless, or Lob key', 'live_ test_', base64Url, 30),
  rule('Duffel token', 'duffel_live_ duffel_test_', base64Url | equals, 40),
  rule('EasyPost key', 'EZAK EZTK', alphanumeric, 54),
  rule('Shippo token', 'shippo_live_ shippo_test_', alphanumeric, 40, hex),
  rule('Adyen key', 'AQE', base64Url | plusSlash | equals, 80),
];

const observability: readonly IssuerRule[] = [
  rule('Grafana token', 'glc_ glsa_', base64Url | plusSlash | equals, 32),
  rule('Grafana key', 'eyJrIjoi', base64Characters, 60),
  rule('New Relic key', 'NRAK- NRII- NRJS- NRBR- NRAL- NRRA-', base64Url, 19),
  rule('Sentry token', 'sntrys_ sntryu_ sntryi_', base64Url | plusSlash | equals, 40),
  rule('Dynatrace token', 'dt0c01. dt0s01. dt0s02. dt0s16.', alphanumeric | period, 60),
  rule('Honeycomb key', 'hcaik_ hcxik_ hcamk_ hcalk_ hcbik_', alphanumeric, 50),
  rule('PostHog key', 'phx_ phs_', base64Url, 40),
  rule('LaunchDarkly key', 'sdk- api-', base64Url, 36, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  rule('Logfire token', 'pylf_v1_', base64Url, 30),
  rule('Octopus Deploy key', 'API-', alphanumeric, 26, /^(?=.*\d)[A-Z0-9]{26,}$/),
  rule('Prefect key', 'pnu_ pnb_', alphanumeric, 36),
  rule('Rootly key', 'rootly_', base64Url, 40),
  rule('Axiom token', 'xaat- xapt-', base64Url, 30),
];

const products: readonly IssuerRule[] = [
  rule('Linear key', 'lin_api_ lin_oauth_ lin_wh_', alphanumeric, 32),
  rule('Notion token', 'ntn_ secret_', alphanumeric, 36),
  rule('Figma token', 'figd_ figo_ figoh_ figor_', base64Url, 30),
  rule('Postman key', 'PMAK- PMAT-', base64Url, 26),
  rule('HubSpot token', 'pat-na1- pat-na2- pat-eu1- pat-ap1- pat-na3-', base64Url, 36),
  rule('Typeform token', 'tfp_', base64Url | period | equals, 40),
  rule('Dropbox token', 'sl.', base64Url | equals | period, 60),
  rule('Asana token', '0/ 1/ 2/', alphanumeric | other | plusSlash, 40, /^\d{10,20}(?:\/\d{10,20})?:[0-9a-f]{32}$/),
  rule('Adobe secret', 'p8e-', base64Url, 32),
  rule('Adafruit key', 'aio_', alphanumeric, 28),
  rule('Frame.io token', 'fio-u-', base64Url | equals, 60),
  rule('ReadMe key', 'rdme_', alphanumeric, 60),
  rule('Mapbox token', 'sk.eyJ tk.eyJ', base64Url | period, 40),
  rule('42 Intra secret', 's-s4t2ud- s-s4t2af-', alphanumeric, 60, hex),
  rule('Settlemint token', 'sm_aat_ sm_pat_ sm_sat_', alphanumeric, 16),
  rule('Defined Networking key', 'dnkey-', base64Url | equals, 60),
  rule(
    'Authress key',
    'sc_ ext_ scauth_ authress_',
    base64Url | period | plusSlash | equals,
    50,
    /^[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-]/i,
  ),
  rule('Harness key', 'pat. sat.', base64Url | period, 60, /^[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}$/),
  rule('1Password secret key', 'A3-', base64Url, 28, /^(?:[A-Z0-9]{5,11}-){4,6}[A-Z0-9]{5}$/),
  rule('ClickUp token', 'pk_', base64Url, 30, /^\d{5,12}_[A-Z0-9]{32}$/),
  rule('Intercom token', 'dG9rO', base64Characters, 30),
  rule('Inngest key', 'signkey-', base64Url, 24),
  rule('Telnyx key', 'KEY0', base64Url, 40),
  rule('Infisical token', 'st.', base64Url | period, 60),
  rule('Trigger.dev key', 'tr_dev_ tr_prod_ tr_stg_ tr_pat_', base64Url, 16),
  rule('Cal.com key', 'cal_live_', alphanumeric, 20),
  rule('Zuplo key', 'zpka_', base64Url, 32),
  rule('Unkey root key', 'unkey_', base64Url, 20),
  rule('Val Town token', 'vtwn_', alphanumeric, 20),
  rule('Stytch secret', 'secret-live- secret-test-', base64Url | equals, 36),
];

const keys: readonly IssuerRule[] = [
  rule('age secret key', 'AGE-SECRET-KEY-1', alphanumeric, 50, capitals),
  rule('age plugin key', 'AGE-PLUGIN-', base64Url, 20, /^[A-Z0-9]+-1[A-Z0-9]{8,}$/),
  rule(
    'Private key in base64',
    'LS0tLS1CRUdJTiBSU0EgUFJJVkFURS LS0tLS1CRUdJTiBQUklWQVRF LS0tLS1CRUdJTiBFQyBQUklWQVRF LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUg LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURS',
    base64Characters,
    40,
  ),
  rule('Extended private key', 'xprv yprv zprv', alphanumeric, 100),
  rule('Nostr secret key', 'nsec1', alphanumeric, 58, /^[a-z0-9]{58}$/),
];

/** Secrets without a prefix that have a fixed form, as whole words of letters, digits, hyphens, and underscores. */
export const wordRules: readonly { readonly name: string; readonly shape: RegExp }[] = [
  { name: 'Mailchimp key', shape: /^[0-9a-f]{32}-us\d{1,2}$/ },
  { name: 'Mailgun signing key', shape: /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/ },
  { name: 'MaxMind key', shape: /^[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk$/ },
  { name: 'Azure DevOps token', shape: /^[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}$/ },
  { name: 'Azure AI key', shape: /^[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}$/ },
];

/** All formats with a prefix. A longer prefix wins. */
export const issuerRules: readonly IssuerRule[] = [
  ...[codeHosts, registries, clouds, databases, models, messaging, payments, observability, products, keys].flat(),
];
