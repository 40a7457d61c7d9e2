import type { RandomText } from './randomText.ts';

/** A format of secrets, for docs/secrets.md and the tests. */
export interface SecretFormat {
  readonly name: string;
  /** Who describes the format: the issuer, a standard, or the name of a rule of gitleaks. */
  readonly source: string;
  /** A fresh example: a text, and the part of it that must be removed. */
  readonly example: (random: RandomText) => { readonly text: string; readonly secret: string };
}

/** A format that is recognized by itself, without a name or a separator before it. */
function token(name: string, source: string, make: (random: RandomText) => string): SecretFormat {
  return {
    name,
    source,
    example: (random) => {
      const secret = make(random);
      return { text: `It printed ${secret} and stopped.\n`, secret };
    },
  };
}

/** A format that is recognized by the text around it: `write` puts the secret into that text. */
export function within(
  name: string,
  source: string,
  make: (random: RandomText) => string,
  write: (secret: string) => string,
): SecretFormat {
  return {
    name,
    source,
    example: (random) => {
      const secret = make(random);
      return { text: `before\n${write(secret)}\nafter\n`, secret };
    },
  };
}

/** Formats that are recognized by the prefix of their issuer, or by a fixed form. */
export const issuerFormats: readonly SecretFormat[] = [
  token('GitHub personal access token', 'docs.github.com', (r) => `ghp_${r.base62(36)}`),
  token('GitHub OAuth token', 'docs.github.com', (r) => `gho_${r.base62(36)}`),
  token('GitHub user-to-server token', 'docs.github.com', (r) => `ghu_${r.base62(36)}`),
  token('GitHub server-to-server token', 'docs.github.com', (r) => `ghs_${r.base62(36)}`),
  token('GitHub refresh token', 'docs.github.com', (r) => `ghr_${r.base62(36)}`),
  token('GitHub fine-grained token', 'docs.github.com', (r) => `github_pat_${r.base62(22)}_${r.base62(59)}`),
  token('GitLab personal access token', 'docs.gitlab.com', (r) => `glpat-${r.base64Url(20)}`),
  token('GitLab routable token', 'gitleaks: gitlab-pat-routable', (r) => `glpat-${r.base64Url(27)}.01.${r.base36(9)}`),
  token('GitLab deploy token', 'docs.gitlab.com', (r) => `gldt-${r.base64Url(20)}`),
  token('GitLab runner authentication token', 'docs.gitlab.com', (r) => `glrt-${r.base64Url(20)}`),
  token('GitLab runner registration token', 'docs.gitlab.com', (r) => `GR1348941${r.base64Url(20)}`),
  token('GitLab CI/CD job token', 'docs.gitlab.com', (r) => `glcbt-64_${r.base64Url(20)}`),
  token('GitLab trigger token', 'docs.gitlab.com', (r) => `glptt-${r.hex(40)}`),
  token('GitLab feed token', 'docs.gitlab.com', (r) => `glft-${r.base64Url(20)}`),
  token('GitLab incoming mail token', 'docs.gitlab.com', (r) => `glimt-${r.base64Url(25)}`),
  token('GitLab agent token', 'docs.gitlab.com', (r) => `glagent-${r.base64Url(50)}`),
  token('GitLab OAuth application secret', 'docs.gitlab.com', (r) => `gloas-${r.hex(64)}`),
  token('GitLab SCIM token', 'docs.gitlab.com', (r) => `glsoat-${r.base64Url(20)}`),
  token('GitLab feature flags client token', 'docs.gitlab.com', (r) => `glffct-${r.base64Url(20)}`),
  token('Bitbucket app password', 'support.atlassian.com', (r) => `ATBB${r.base62(32)}`),
  token('Atlassian API token', 'gitleaks: atlassian-api-token', (r) => `ATATT3xFfGF0${r.base64Url(180)}`),
  token('Azure DevOps token', 'learn.microsoft.com', (r) => `${r.base62(76)}AZDO${r.base62(4)}`),
  token('Sourcegraph token', 'gitleaks: sourcegraph-access-token', (r) => `sgp_${r.hex(16)}_${r.hex(40)}`),
  token('Buildkite token', 'buildkite.com/docs', (r) => `bkua_${r.hex(40)}`),
  token('Buildkite job token', 'buildkite.com/docs', (r) => `bkaj_${r.base62(36)}.${r.base62(120)}.${r.base64Url(43)}`),
  token('Merge Freeze token', 'mergefreeze.com/blog', (r) => `mfb_${r.base62(24)}`),
  token('CircleCI token', 'circleci.com/docs', (r) => `CCIPAT_${r.base62(22)}_${r.hex(40)}`),
  token('SonarQube token', 'gitleaks: sonar-api-token', (r) => `squ_${r.hex(40)}`),
  token('npm token', 'docs.npmjs.com', (r) => `npm_${r.base62(36)}`),
  token('PyPI token', 'pypi.org/help', (r) => `pypi-AgEIcHlwaS5vcmc${r.base64Url(120)}`),
  token('RubyGems key', 'guides.rubygems.org', (r) => `rubygems_${r.hex(48)}`),
  token('crates.io token', 'doc.rust-lang.org/cargo', (r) => `cio${r.base62(29)}A7b`),
  token('Clojars token', 'gitleaks: clojars-api-token', (r) => `CLOJARS_${r.hex(60)}`),
  token('NuGet key', 'learn.microsoft.com/nuget', (r) => `oy2${r.of('abcdefghijklmnopqrstuvwxyz234567', 43)}`),
  token('Docker Hub access token', 'docs.docker.com', (r) => `dckr_pat_${r.base64Url(27)}`),
  token('JFrog API key', 'gitleaks: artifactory-api-key', (r) => `AKCp${r.base62(69)}`),
  token('JFrog reference token', 'gitleaks: artifactory-reference-token', (r) => `cmVmdGtu${r.base62(56)}`),
  token('AWS access key ID', 'docs.aws.amazon.com', (r) => `AKIA${r.base32(16)}`),
  token('AWS temporary access key ID', 'docs.aws.amazon.com', (r) => `ASIA${r.base32(16)}`),
  token('AWS Bedrock key', 'gitleaks: aws-amazon-bedrock-api-key-long-lived', (r) => `ABSK${r.base64(84)}`),
  token('Google API key', 'cloud.google.com/docs', (r) => `AIza${r.base64Url(35)}`),
  token('Google OAuth client secret', 'developers.google.com', (r) => `GOCSPX-${r.base64Url(28)}`),
  token('Google OAuth access token', 'developers.google.com', (r) => `ya29.${r.base64Url(120)}`),
  token('Google OAuth refresh token', 'developers.google.com', (r) => `1//0${r.base64Url(98)}`),
  token(
    'Firebase Cloud Messaging key',
    'firebase.google.com',
    (r) => `AAAA${r.base64Url(7)}:APA91b${r.base64Url(134)}`,
  ),
  token('DigitalOcean token', 'gitleaks: digitalocean-pat', (r) => `dop_v1_${r.hex(64)}`),
  token('DigitalOcean OAuth token', 'gitleaks: digitalocean-access-token', (r) => `doo_v1_${r.hex(64)}`),
  token('DigitalOcean refresh token', 'gitleaks: digitalocean-refresh-token', (r) => `dor_v1_${r.hex(64)}`),
  token('Heroku token', 'gitleaks: heroku-api-key-v2', (r) => `HRKU-AA${r.base64Url(58)}`),
  token('Alibaba Cloud key ID', 'gitleaks: alibaba-access-key-id', (r) => `LTAI5t${r.base62(17)}7`),
  token('Tencent Cloud key ID', 'cloud.tencent.com', (r) => `AKID${r.base62(31)}7`),
  token('Yandex Cloud key', 'gitleaks: yandex-api-key', (r) => `AQVN${r.base64Url(36)}`),
  token('Cloudflare origin CA key', 'gitleaks: cloudflare-origin-ca-key', (r) => `v1.0-${r.hex(24)}-${r.hex(146)}`),
  token('Fly.io token', 'gitleaks: flyio-access-token', (r) => `fo1_${r.base64Url(43)}`),
  token('Fly.io macaroon', 'gitleaks: flyio-access-token', (r) => `fm2_${r.base64(120)}`),
  token('Netlify token', 'docs.netlify.com', (r) => `nfp_${r.base62(36)}`),
  token('Render key', 'render.com/docs', (r) => `rnd_${r.base62(32)}`),
  token('Scalingo token', 'gitleaks: scalingo-api-token', (r) => `tk-us-${r.base64Url(48)}`),
  token('OpenShift token', 'gitleaks: openshift-user-token', (r) => `sha256~${r.base64Url(43)}`),
  token('HashiCorp Vault service token', 'developer.hashicorp.com', (r) => `hvs.${r.base64Url(95)}`),
  token('HashiCorp Vault batch token', 'developer.hashicorp.com', (r) => `hvb.${r.base64Url(150)}`),
  token('HCP Terraform token', 'gitleaks: hashicorp-tf-api-token', (r) => `${r.base62(14)}.atlasv1.${r.base64Url(64)}`),
  token('Doppler token', 'gitleaks: doppler-api-token', (r) => `dp.pt.${r.base62(43)}`),
  token('Pulumi token', 'gitleaks: pulumi-api-token', (r) => `pul-${r.hex(40)}`),
  token(
    '1Password service account token',
    'gitleaks: 1password-service-account-token',
    (r) => `ops_eyJ${r.base62(260)}`,
  ),
  token('1Password secret key', 'gitleaks: 1password-secret-key', (r) => {
    const parts = [6, 6, 5, 5, 5, 5].map((length) => r.of('ABCDEFGHJKLMNPQRSTVWXYZ23456789', length));
    return `A3-${parts.join('-')}`;
  }),
  token('Infracost key', 'gitleaks: infracost-api-token', (r) => `ico-${r.base62(32)}`),
  token('Tailscale key', 'tailscale.com/kb', (r) => `tskey-auth-${r.base62(17)}-${r.base62(32)}`),
  token('Microsoft Entra client secret', 'gitleaks: azure-ad-client-secret', (r) => `${r.base62(3)}8Q~${r.base62(34)}`),
  token('Azure AI key', 'learn.microsoft.com', (r) => `${r.base62(52)}JQQJ99${r.base62(26)}`),
  token('PlanetScale token', 'gitleaks: planetscale-api-token', (r) => `pscale_tkn_${r.base64Url(43)}`),
  token('PlanetScale password', 'gitleaks: planetscale-password', (r) => `pscale_pw_${r.base64Url(43)}`),
  token('Supabase token', 'supabase.com/docs', (r) => `sbp_${r.hex(40)}`),
  token('Supabase secret key', 'supabase.com/docs', (r) => `sb_secret_${r.base64Url(31)}`),
  token('Databricks token', 'gitleaks: databricks-api-token', (r) => `dapi${r.hex(32)}`),
  token('ClickHouse Cloud key', 'gitleaks: clickhouse-cloud-api-secret-key', (r) => `4b1d${r.base62(38)}`),
  token('Airtable token', 'gitleaks: airtable-personnal-access-token', (r) => `pat${r.base62(14)}.${r.hex(64)}`),
  token('Contentful token', 'contentful.com/developers', (r) => `CFPAT-${r.base64Url(43)}`),
  token('Anthropic key', 'gitleaks: anthropic-api-key', (r) => `sk-ant-api03-${r.base64Url(93)}AA`),
  token(
    'OpenAI project key',
    'gitleaks: openai-api-key',
    (r) => `sk-proj-${r.base64Url(74)}T3BlbkFJ${r.base64Url(74)}`,
  ),
  token('OpenAI key', 'gitleaks: openai-api-key', (r) => `sk-${r.base62(20)}T3BlbkFJ${r.base62(20)}`),
  token('OpenRouter key', 'openrouter.ai/docs', (r) => `sk-or-v1-${r.hex(64)}`),
  token('DeepSeek key', 'api-docs.deepseek.com', (r) => `sk-${r.hex(32)}`),
  token('Hugging Face token', 'gitleaks: huggingface-access-token', (r) => `hf_${r.base62(34)}`),
  token('Groq key', 'console.groq.com/docs', (r) => `gsk_${r.base62(52)}`),
  token('xAI key', 'docs.x.ai', (r) => `xai-${r.base62(80)}`),
  token('Perplexity key', 'gitleaks: perplexity-api-key', (r) => `pplx-${r.base62(48)}`),
  token('Replicate token', 'replicate.com/docs', (r) => `r8_${r.base62(37)}`),
  token('Fireworks key', 'docs.fireworks.ai', (r) => `fw_${r.base62(24)}`),
  token('NVIDIA key', 'docs.nvidia.com', (r) => `nvapi-${r.base64Url(64)}`),
  token('LangSmith key', 'docs.langchain.com', (r) => `lsv2_pt_${r.hex(32)}_${r.hex(10)}`),
  token('Pinecone key', 'docs.pinecone.io', (r) => `pcsk_${r.base62(6)}_${r.base62(60)}`),
  token('Tavily key', 'docs.tavily.com', (r) => `tvly-${r.base62(32)}`),
  token('Factory key', 'docs.factory.ai', (r) => `fk-${r.base64Url(48)}`),
  token('Slack bot token', 'gitleaks: slack-bot-token', (r) => `xoxb-${r.digits(12)}-${r.digits(12)}-${r.base62(24)}`),
  token('Slack user token', 'gitleaks: slack-user-token', (r) => {
    return `xoxp-${r.digits(12)}-${r.digits(12)}-${r.digits(12)}-${r.hex(32)}`;
  }),
  token('Slack app token', 'gitleaks: slack-app-token', (r) => `xapp-1-A${r.base32(10)}-${r.digits(13)}-${r.hex(64)}`),
  token('Slack configuration token', 'gitleaks: slack-config-access-token', (r) => `xoxe.xoxp-1-${r.base62(163)}`),
  token('Slack webhook', 'gitleaks: slack-webhook-url', (r) => {
    return `https://hooks.slack.com/services/T${r.base32(8)}/B${r.base32(10)}/${r.base62(24)}`;
  }),
  token(
    'Discord webhook',
    'discord.com/developers',
    (r) => `https://discord.com/api/webhooks/${r.digits(18)}/${r.base64Url(68)}`,
  ),
  token('Microsoft Teams webhook', 'gitleaks: microsoft-teams-webhook', (r) => {
    return `https://contoso.webhook.office.com/webhookb2/${r.uuid()}@${r.uuid()}/IncomingWebhook/${r.hex(32)}/${r.uuid()}`;
  }),
  token('Discord bot token', 'discord.com/developers', (r) => {
    return `${Buffer.from(r.digits(18)).toString('base64')}.${r.base64Url(6)}.${r.base64Url(38)}`;
  }),
  token('Telegram bot token', 'core.telegram.org/bots', (r) => `${r.digits(10)}:AA${r.base64Url(33)}`),
  token('Twilio key', 'gitleaks: twilio-api-key', (r) => `SK${r.hex(32)}`),
  token('SendGrid key', 'gitleaks: sendgrid-api-token', (r) => `SG.${r.base64Url(22)}.${r.base64Url(43)}`),
  token('Brevo key', 'gitleaks: sendinblue-api-token', (r) => `xkeysib-${r.hex(64)}-${r.base62(16)}`),
  token('Mailgun key', 'gitleaks: mailgun-private-api-token', (r) => `key-${r.hex(32)}`),
  token('Mailgun signing key', 'gitleaks: mailgun-signing-key', (r) => `${r.hex(32)}-${r.hex(8)}-${r.hex(8)}`),
  token('Mailchimp key', 'gitleaks: mailchimp-api-key', (r) => `${r.hex(32)}-us14`),
  token('Resend key', 'resend.com/docs', (r) => `re_${r.base62(7)}4_${r.base62(24)}`),
  token('Facebook page access token', 'gitleaks: facebook-page-access-token', (r) => `EAAM${r.base62(140)}`),
  token('Stripe secret key', 'docs.stripe.com', (r) => `sk_live_${r.base62(24)}`),
  token('Stripe restricted key', 'docs.stripe.com', (r) => `rk_test_${r.base62(98)}`),
  token('Stripe webhook secret', 'docs.stripe.com', (r) => `whsec_${r.base62(32)}`),
  token('Shopify access token', 'gitleaks: shopify-access-token', (r) => `shpat_${r.hex(32)}`),
  token('Shopify shared secret', 'gitleaks: shopify-shared-secret', (r) => `shpss_${r.hex(32)}`),
  token('Square access token', 'gitleaks: square-access-token', (r) => `EAAA${r.base64Url(60)}`),
  token('Square OAuth secret', 'developer.squareup.com', (r) => `sq0csp-${r.base64Url(43)}`),
  token(
    'Braintree access token',
    'developer.paypal.com',
    (r) => `access_token$production$${r.base36(16)}$${r.hex(32)}`,
  ),
  token('Plaid access token', 'gitleaks: plaid-api-token', (r) => `access-sandbox-${r.uuid()}`),
  token('Flutterwave secret key', 'gitleaks: flutterwave-secret-key', (r) => `FLWSECK_TEST-${r.hex(32)}-X`),
  token('Razorpay key', 'razorpay.com/docs', (r) => `rzp_live_${r.base62(14)}`),
  token('Duffel token', 'gitleaks: duffel-api-token', (r) => `duffel_live_${r.base64Url(43)}`),
  token('EasyPost key', 'gitleaks: easypost-api-token', (r) => `EZAK${r.base62(54)}`),
  token('Shippo token', 'gitleaks: shippo-api-token', (r) => `shippo_live_${r.hex(40)}`),
  token('Lob key', 'gitleaks: lob-api-key', (r) => `live_${r.hex(35)}`),
  token(
    'Grafana service account token',
    'gitleaks: grafana-service-account-token',
    (r) => `glsa_${r.base62(32)}_${r.hex(8)}`,
  ),
  token('Grafana Cloud token', 'gitleaks: grafana-cloud-api-token', (r) => `glc_eyJ${r.base62(80)}`),
  token('New Relic user key', 'gitleaks: new-relic-user-api-key', (r) => `NRAK-${r.base32(27)}`),
  token('New Relic insert key', 'gitleaks: new-relic-insert-key', (r) => `NRII-${r.base36(32)}`),
  token(
    'Sentry organization token',
    'gitleaks: sentry-org-token',
    (r) => `sntrys_eyJpYXQiO${r.base62(120)}_${r.base62(43)}`,
  ),
  token('Sentry user token', 'gitleaks: sentry-user-token', (r) => `sntryu_${r.hex(64)}`),
  token('Dynatrace token', 'gitleaks: dynatrace-api-token', (r) => `dt0c01.${r.base32(24)}.${r.base32(64)}`),
  token('LaunchDarkly SDK key', 'launchdarkly.com/docs', (r) => `sdk-${r.uuid()}`),
  token(
    'Octopus Deploy key',
    'gitleaks: octopus-deploy-api-key',
    (r) => `API-${r.of('ABCDEFGHJKLMNPQRSTUVWXYZ', 25)}7`,
  ),
  token('Prefect key', 'gitleaks: prefect-api-token', (r) => `pnu_${r.base62(36)}`),
  token('Linear key', 'gitleaks: linear-api-key', (r) => `lin_api_${r.base62(40)}`),
  token('Notion token', 'gitleaks: notion-api-token', (r) => `ntn_${r.digits(11)}${r.base62(35)}`),
  token('Figma token', 'figma.com/developers', (r) => `figd_${r.base64Url(40)}`),
  token('Postman key', 'gitleaks: postman-api-token', (r) => `PMAK-${r.hex(24)}-${r.hex(34)}`),
  token('HubSpot token', 'developers.hubspot.com', (r) => `pat-na1-${r.uuid()}`),
  token('Typeform token', 'gitleaks: typeform-api-token', (r) => `tfp_${r.base64Url(59)}`),
  token('Dropbox token', 'gitleaks: dropbox-short-lived-api-token', (r) => `sl.${r.base64Url(135)}`),
  token('Asana token', 'developers.asana.com', (r) => `1/${r.digits(16)}:${r.hex(32)}`),
  token('Adobe client secret', 'gitleaks: adobe-client-secret', (r) => `p8e-${r.base36(32)}`),
  token('Adafruit IO key', 'io.adafruit.com/api', (r) => `aio_${r.base62(28)}`),
  token('Frame.io token', 'gitleaks: frameio-api-token', (r) => `fio-u-${r.base64Url(64)}`),
  token('ReadMe key', 'gitleaks: readme-api-token', (r) => `rdme_${r.base36(70)}`),
  token('Harness key', 'gitleaks: harness-api-key', (r) => `pat.${r.base64Url(22)}.${r.base62(24)}.${r.base62(20)}`),
  token('MaxMind key', 'gitleaks: maxmind-license-key', (r) => `${r.base62(6)}_${r.base62(29)}_mmk`),
  token('Settlemint token', 'gitleaks: settlemint-personal-access-token', (r) => `sm_pat_${r.base62(16)}`),
  token('Authress key', 'gitleaks: authress-service-client-access-key', (r) => {
    return `sc_${r.base36(12)}.${r.base36(5)}.acc_${r.base36(16)}.${r.base64(60)}`;
  }),
  token('42 Intra secret', 'gitleaks: intra42-client-secret', (r) => `s-s4t2ud-${r.hex(64)}`),
  token('JSON Web Token', 'RFC 7519', (r) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: r.uuid() })}.${r.base64Url(43)}`;
  }),
  token(
    'age secret key',
    'age-encryption.org',
    (r) => `AGE-SECRET-KEY-1${r.of('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  ),
  token('GitLab workspace token', 'docs.gitlab.com', (r) => `glwt-${r.base64Url(20)}`),
  token('Snyk token', 'docs.snyk.io', (r) => `snyk_uat.${r.hex(8)}.${r.base64Url(60)}`),
  token('AWS Bedrock short-lived key', 'gitleaks: aws-amazon-bedrock-api-key-short-lived', (r) => {
    return `bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t${r.base62(80)}`;
  }),
  token('Google API key (newer)', 'ai.google.dev', (r) => `AQ.Ab8${r.base64Url(47)}`),
  token('Yandex Cloud token', 'gitleaks: yandex-access-token', (r) => `t1.${r.base64Url(40)}.${r.base64Url(86)}`),
  token('Vercel token', 'vercel.com/docs', (r) => `vcp_${r.base62(56)}`),
  token('Vercel Blob token', 'vercel.com/docs', (r) => `vercel_blob_rw_${r.base62(16)}_${r.base62(30)}`),
  token('Neon key', 'neon.com/docs', (r) => `napi_${r.base36(64)}`),
  token('Confluent secret', 'docs.confluent.io', (r) => `cflt${r.base62(60)}`),
  token('MongoDB Atlas secret', 'mongodb.com/docs', (r) => `mdb_sa_sk_${r.base64Url(40)}`),
  token('Cerebras key', 'inference-docs.cerebras.ai', (r) => `csk-${r.base36(48)}`),
  token('Langfuse key', 'langfuse.com/docs', (r) => `sk-lf-${r.uuid()}`),
  token('E2B key', 'e2b.dev/docs', (r) => `e2b_${r.hex(40)}`),
  token('Firecrawl key', 'docs.firecrawl.dev', (r) => `fc-${r.hex(32)}`),
  token('ElevenLabs key', 'elevenlabs.io/docs', (r) => `sk_${r.hex(48)}`),
  token('Voyage AI key', 'docs.voyageai.com', (r) => `pa-${r.base64Url(43)}`),
  token('Weights & Biases key', 'docs.wandb.ai', (r) => `wandb_v1_${r.base62(40)}`),
  token('Together AI key', 'docs.together.ai', (r) => `tgp_v1_${r.base64Url(43)}`),
  token('Cursor key', 'cursor.com/docs', (r) => `key_${r.hex(64)}`),
  token('Instagram token', 'developers.facebook.com', (r) => `IGQV${r.base62(140)}`),
  token('X (Twitter) bearer token', 'gitleaks: twitter-bearer-token', (r) => `${'A'.repeat(22)}${r.base62(90)}`),
  token('Paddle key', 'developer.paddle.com', (r) => `pdl_live_apikey_${r.base36(26)}_${r.base62(22)}_${r.base62(3)}`),
  token('Adyen key', 'docs.adyen.com', (r) => `AQE${r.base62(150)}`),
  token('Grafana key', 'gitleaks: grafana-api-key', (r) => `eyJrIjoi${r.base62(90)}`),
  token('Honeycomb key', 'docs.honeycomb.io', (r) => `hcaik_${r.base36(58)}`),
  token('PostHog key', 'posthog.com/docs', (r) => `phx_${r.base62(43)}`),
  token('Logfire token', 'logfire.pydantic.dev', (r) => `pylf_v1_us_${r.base62(43)}`),
  token('Rootly key', 'docs.rootly.com', (r) => `rootly_${r.hex(64)}`),
  token('Axiom token', 'axiom.co/docs', (r) => `xaat-${r.uuid()}`),
  token('Mapbox token', 'docs.mapbox.com', (r) => `sk.eyJ${r.base62(60)}.${r.base64Url(22)}`),
  token('Defined Networking key', 'gitleaks: defined-networking-api-token', (r) => {
    return `dnkey-${r.base64Url(26)}-${r.base64Url(52)}`;
  }),
  token(
    'ClickUp token',
    'developer.clickup.com',
    (r) => `pk_${r.digits(8)}_${r.of('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 32)}`,
  ),
  token('Intercom token', 'developers.intercom.com', (r) => `dG9rO${r.base62(55)}=`),
  token('Inngest key', 'inngest.com/docs', (r) => `signkey-prod-${r.hex(64)}`),
  token('Telnyx key', 'developers.telnyx.com', (r) => `KEY01${r.hex(30)}_${r.base62(22)}`),
  token('Infisical token', 'infisical.com/docs', (r) => `st.${r.hex(24)}.${r.hex(32)}.${r.hex(32)}`),
  token('Unkey root key', 'unkey.com/docs', (r) => `unkey_${r.base62(24)}`),
  token('Val Town token', 'docs.val.town', (r) => `vtwn_${r.base62(27)}`),
  token('Stytch secret', 'stytch.com/docs', (r) => `secret-live-${r.base64Url(36)}=`),
  token('Ably key', 'ably.com/docs', (r) => `${r.base62(6)}.${r.base62(6)}:${r.base64Url(43)}`),
  token('Trigger.dev key', 'trigger.dev/docs', (r) => `tr_dev_${r.base62(20)}`),
  token('Cal.com key', 'cal.com/docs', (r) => `cal_live_${r.hex(32)}`),
  token('Zuplo key', 'zuplo.com/docs', (r) => `zpka_${r.hex(32)}_${r.hex(8)}`),
  token(
    'age plugin key',
    'age-encryption.org',
    (r) => `AGE-PLUGIN-YUBIKEY-1${r.of('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 30)}`,
  ),
  token('Private key in base64', 'RFC 7468', (r) => `LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk${r.base62(400)}`),
  token('Extended private key', 'BIP 32', (r) => `xprv${r.base62(107)}`),
  token('Nostr secret key', 'NIP-19', (r) => `nsec1${r.of('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 58)}`),
  token('Prefix and random text', 'many issuers', (r) => `acme_token_${r.base62(32)}`),
];
