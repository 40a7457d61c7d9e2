/** Mermaid diagrams as language models write them in answers, by their kind. */
export const ordinaryDiagrams: Readonly<Record<string, readonly string[]>> = {
  flowchart: [
    `flowchart TD
    A[Start] --> B{Is the user logged in?}
    B -->|Yes| C[Show dashboard]
    B -->|No| D[Redirect to login]
    D --> E[Enter credentials]
    E --> F{Valid?}
    F -- Yes --> C
    F -- No --> E
    C --> G((End))`,
    `graph LR
    Client[Web Client] --> LB[Load Balancer]
    LB --> S1[Server 1]
    LB --> S2[Server 2]
    S1 & S2 --> DB[(PostgreSQL)]
    S1 -.-> Cache[(Redis)]
    S2 -.-> Cache`,
    `flowchart TB
    subgraph Frontend
        direction LR
        UI[React UI] --> Store[Redux Store]
    end
    subgraph Backend["Backend services"]
        API[REST API] --> Auth[Auth service]
        API --> Orders[Order service]
    end
    subgraph data [Data layer]
        PG[("PostgreSQL")]
        MQ[["RabbitMQ"]]
    end
    UI ==> API
    Orders --> PG
    Orders -. publishes .-> MQ`,
    String.raw`graph TD;
    A-->B;
    A-->C;
    B-->D;
    C-->D;`,
    String.raw`flowchart LR
    commit["git commit"] --> lint["Lint\n(eslint)"]
    lint --> unit["Unit tests<br/>(vitest)"]
    unit --> build["Build<br>Docker image"]
    build --> staging[/"Deploy to staging"/]
    staging --> approve{{"Manual approval?"}}
    approve -->|"approved"| prod([Deploy to production])
    approve -->|rejected| stop(((Stop)))`,
    `flowchart TD
    %% Error handling
    Request([HTTP request]) --> Handler{Handler}
    Handler -->|200 OK| Ok[Return JSON]
    Handler -->|4xx| ClientError["Client error: log & return"]
    Handler -->|5xx| ServerError["Server error (retry up to 3×)"]
    ServerError --> Retry{Retries < 3?}
    Retry -->|yes| Handler
    Retry -->|no| Alert>Page the on-call]`,
    `flowchart LR
    A["🚀 Start"] --> B["✅ Tests pass"]
    A --> C["❌ Tests fail"]
    C --> D["⚠️ Fix → retry"]
    D --> A`,
    `graph TB
    用户[用户] --> 前端[前端应用]
    前端 -->|请求| 网关{API 网关}
    网关 --> 订单["订单服务（核心）"]
    网关 --> 库存[库存服务]
    订单 --> 数据库[(数据库)]`,
    `flowchart TD
    Начало([Начало]) --> Проверка{Данные верны?}
    Проверка -->|Да| Сохранить[Сохранить в базе]
    Проверка -->|Нет| Ошибка[Показать ошибку]`,
    `flowchart TD
    A[開始] --> B{条件を確認}
    B -- はい --> C[処理を実行する]
    B -- いいえ --> D[終了]`,
    `flowchart RL
    A[بداية] --> B[نهاية]
    C[שלום] <--> D[Größe prüfen]`,
    `flowchart LR
    A o--o B
    B x--x C
    C <--> D
    D ---> E
    E ~~~ F
    F --- G
    G -.- H
    H === I`,
    `graph TD
    main.ts --> app/router.ts
    main.ts --> app/store.ts
    app/router.ts --> views/home.ts`.replace(/(\w+)\/(\w+)\.ts/g, '$1_$2'),
    `flowchart TD
    parse_config --> validate_config
    validate_config -->|ok| start_server
    validate_config -->|"error: missing key"| exit_1[exit 1]
    start_server --> listen["listen on :8080"]`,
    `flowchart LR
    subgraph cluster1 ["Kubernetes cluster"]
        subgraph ns1 ["Namespace: web"]
            pod1["Pod: web-1"]
            pod2["Pod: web-2"]
        end
        svc["Service (ClusterIP)"] --> pod1 & pod2
    end
    ingress["Ingress"] --> svc`,
    `flowchart TD
    A[Issue #42 opened] --> B[Triage]
    B --> C{Priority?}
    C -->|P0 / P1| D[Fix today, ship a patch]
    C -->|P2+| E[Backlog; next sprint]`.replace('; next', ', next'),
    `graph LR
    A[Order total = $100] -->|discount 10%| B[Pay $90]
    B --> C["email: user@example.com"]`,
    `flowchart TD
    A["map(x => x * 2)"] --> B["filter(x => x > 5)"] --> C["reduce((a, b) => a + b, 0)"]`,
    `flowchart TB
    A[Write code] --> B[Run tests]:::ok
    B --> C[Deploy]
    classDef ok fill:#bfb,stroke:#333,stroke-width:2px
    style C fill:#f9f,stroke:#333;
    linkStyle 0 stroke:#ff3,stroke-width:4px`,
    `graph TD
    A[Producer] -->|messages| B[Queue]
    B --> C[Consumer 1]
    B --> D[Consumer 2]
    class C,D worker
    classDef worker fill:#e1f5fe`,
    `---
title: Release process
---
flowchart LR
    A[Branch] --> B[Tag] --> C[Publish]`,
    `flowchart LR
    A@{ shape: rounded, label: "Start" } --> B@{ shape: cyl, label: "Database" }`,
    `%%{init: {'theme': 'base', 'themeVariables': {'primaryColor': '#ffcc00'}}}%%
flowchart LR
    A --> B --> C`,
  ],
  sequence: [
    `sequenceDiagram
    participant U as User
    participant B as Browser
    participant S as Server
    participant D as Database
    U->>B: Click "Log in"
    B->>S: POST /api/login {email, password}
    activate S
    S->>D: SELECT * FROM users WHERE email = ?
    D-->>S: user row
    alt valid password
        S-->>B: 200 OK + JWT
        B->>B: Store token
    else invalid password
        S-->>B: 401 Unauthorized
    end
    deactivate S
    B-->>U: Show result`,
    `sequenceDiagram
    autonumber
    actor Alice
    participant Bob
    Alice->>+Bob: Hello Bob, how are you?
    Bob-->>-Alice: I'm fine, thanks!
    Note right of Bob: Bob thinks<br/>about it
    Note over Alice,Bob: A typical interaction
    loop Every minute
        Bob-)Alice: Ping (async)
        Alice--)Bob: Pong
    end`,
    `sequenceDiagram
    box Purple Frontend
    participant UI
    participant Store
    end
    box rgb(33,66,99) Backend
    participant API
    end
    UI->>Store: dispatch(action)
    Store->>API: fetch()
    par Load user
        API-->>Store: user
    and Load orders
        API-->>Store: orders
    end
    opt cache is stale
        Store->>API: refresh
    end`,
    `sequenceDiagram
    participant Client
    participant API-Gateway as API Gateway
    participant Auth
    Client->>API-Gateway: GET /orders (Authorization: Bearer ...)
    API-Gateway->>Auth: validate token
    critical Establish a connection
        Auth-->>API-Gateway: ok
    option Network timeout
        Auth--xAPI-Gateway: error
    end
    break when the token is expired
        API-Gateway-->>Client: 401
    end
    rect rgba(0, 0, 255, .1)
        API-Gateway-xClient: 503
    end`,
    `sequenceDiagram
    title Order checkout
    participant 客户
    participant 商店
    客户->>商店: 下单（2 件商品）
    商店-->>客户: 订单确认：#1001
    Note left of 客户: 付款完成`,
    `sequenceDiagram
    Main Thread->>Worker 1: postMessage({ type: "start" })
    Worker 1-->>Main Thread: onmessage: done
    create participant W as Worker 2
    Main Thread->>W: spawn
    destroy W
    W-->>Main Thread: exit code 0
    Note over Main Thread: 50% of the work; rest later`.replace('; rest', ', rest'),
    `sequenceDiagram
    A->>B: SYN, seq=x
    B->>A: SYN-ACK, seq=y, ack=x+1
    A->>B: ACK, ack=y+1
    %% Connection established
    A<<->>B: data`,
    `sequenceDiagram
  participant ext as Extension host
  participant web as Webview
  ext->>web: postMessage({command: 'init'})
  web-->>ext: ready
  loop for each row (n <= 1000)
    ext->>web: patch
    alt is visible
      web->>web: render()
    else
      web->>web: keep stub
    end
  end`,
    `sequenceDiagram
    Dev->>GitHub: git push origin main
    GitHub->>CI: webhook (push event)
    CI->>CI: npm ci && npm test
    CI-->>GitHub: status: ✅ success
    GitHub-->>Dev: Merge pull request #12`,
  ],
  class: [
    `classDiagram
    class Animal {
        <<abstract>>
        +String name
        +int age
        #List~Leg~ legs
        +makeSound()* void
        +move(distance: int) bool
    }
    class Dog {
        -bool isGoodBoy
        +bark() void
        +create(name: string)$ Dog
    }
    Animal <|-- Dog
    Animal <|-- Cat
    Dog "1" --> "*" Toy : plays with
    Owner "1" o-- "0..*" Animal : owns`,
    `classDiagram
    direction LR
    class Repository~T~ {
        <<interface>>
        +findById(id: ID) Optional~T~
        +save(entity: T) void
        +findAll() Map~String, List~T~~
    }
    class UserRepository
    Repository~User~ <|.. UserRepository
    UserService ..> UserRepository : uses
    UserService *-- Logger
    note for UserService "Handles registration and login"
    note "This is a general note"`,
    `classDiagram
    Shape : +double area()
    Shape : #Color color
    Shape <|-- Circle
    Shape <|-- Square
    Circle : -double radius
    <<interface>> Shape`,
    `classDiagram
    namespace Domain {
        class Order {
            +UUID id
            +OrderStatus status
            +addItem(Item item)
        }
        class Item
    }
    class OrderStatus {
        <<enumeration>>
        PENDING
        PAID
        SHIPPED
    }
    Order --> OrderStatus
    Order "1" *-- "1..n" Item : contains
    class C1["Customer account"]
    C1 -- Order`,
    `classDiagram
  class Store {
    -Map~SessionKey, Record~ #records
    +get(key: SessionKey): Record | undefined
    +set(key: SessionKey, record: Record): void
    -onDidChange: Event~void~
  }
  Store --|> Disposable
  Poller ..|> Disposable`,
    `classDiagram
    Class01 <|-- AveryLongClass : Cool
    Class03 *-- Class04
    Class05 o-- Class06
    Class07 .. Class08
    Class09 --> C2 : Where am I?
    Class09 --* C3
    Class07 : equals()
    Class07 : Object[] elementData`,
    `classDiagram
    class 用户 {
        +姓名: string
        +登录() bool
    }
    用户 --> 订单 : 创建`,
  ],
  state: [
    `stateDiagram-v2
    [*] --> Idle
    Idle --> Running : start()
    Running --> Idle : stop()
    Running --> Failed : error
    Failed --> [*]`,
    `stateDiagram-v2
    direction LR
    [*] --> Draft
    Draft --> Review: submit
    state Review {
        [*] --> Pending
        Pending --> Approved: approve
        Pending --> Rejected: reject
    }
    Review --> Published
    Published --> [*]
    note right of Draft
        Only the author
        can see a draft.
    end note
    note left of Published : visible to everyone`,
    `stateDiagram
    state "Waiting for input" as waiting
    state check <<choice>>
    state fork_state <<fork>>
    [*] --> waiting
    waiting --> check
    check --> valid : if n >= 0
    check --> invalid : if n < 0
    valid --> fork_state
    state Active {
        [*] --> NumLockOff
        NumLockOff --> NumLockOn : EvNumLockPressed
        --
        [*] --> CapsLockOff
    }`,
    `stateDiagram-v2
    s1 : The first state (before login)
    s1 --> s2
    s2 --> s3: 200 OK / token stored
    s3 --> s1: after 30 min`,
    `stateDiagram-v2
  [*] --> queued
  queued --> sending: lease acquired
  sending --> accepted: 2xx
  sending --> unknown: timeout
  sending --> notSent: 4xx
  unknown --> accepted: echo found
  accepted --> [*]
  %% Final state
  notSent --> [*]`,
    `stateDiagram-v2
    [*] --> Grün
    Grün --> Gelb: 30 s
    Gelb --> Rot: 5 s
    Rot --> Grün: 60 s
    classDef hot fill:#f00
    class Rot hot`,
  ],
  er: [
    `erDiagram
    CUSTOMER ||--o{ ORDER : places
    ORDER ||--|{ LINE-ITEM : contains
    CUSTOMER }|..|{ DELIVERY-ADDRESS : uses
    CUSTOMER {
        string name
        string custNumber PK
        string sector
    }
    ORDER {
        int orderNumber PK "auto increment"
        int customer_id FK
        string deliveryAddress
    }`,
    `erDiagram
    users {
        uuid id PK
        varchar(255) email UK "unique, lower case"
        timestamp created_at
        text[] roles
    }
    posts {
        uuid id PK
        uuid author_id FK
        decimal(10,2) price
    }
    post_tags {
        uuid post_id PK, FK
        uuid tag_id PK,FK
    }
    users ||--o{ posts : "writes (1:n)"
    posts ||--o{ post_tags : has
    tags ||--o{ post_tags : "is used by"`,
    `erDiagram
    PERSON["Person"] {
        string driversLicense PK "The license #"
        string(99) firstName "Only 99 characters"
    }
    CAR
    PERSON }o--|| CAR : drives`,
    `erDiagram
  direction LR
  session ||--|{ message : contains
  message ||--o| attachment : ""
  message }o..o{ tag : labels`,
    `erDiagram
    顧客 ||--o{ 注文 : 作成する
    注文 {
        int 番号 PK
        date 日付
    }`,
  ],
  gantt: [
    `gantt
    title Project plan
    dateFormat YYYY-MM-DD
    axisFormat %b %d
    excludes weekends
    section Design
    Requirements       :done, des1, 2024-01-06, 2024-01-08
    Prototype          :active, des2, 2024-01-09, 3d
    section Development
    Backend API        :crit, dev1, after des2, 5d
    Frontend           :dev2, after des2, 5d
    Launch             :milestone, m1, 2024-02-01, 0d`,
    `gantt
    dateFormat  HH:mm
    axisFormat  %H:%M
    tickInterval 1hour
    todayMarker off
    section Deploy
    Build image (docker) : 10:00, 15m
    Run migrations : crit, 10:15, 10m`,
    `gantt
    title 项目计划
    dateFormat YYYY-MM-DD
    section 阶段一
    需求分析 :a1, 2024-01-01, 10d
    设计 :after a1, 12d`,
  ],
  pie: [
    `pie title Pets adopted by volunteers
    "Dogs" : 386
    "Cats" : 85.9
    "Rats" : 15`,
    `pie showData
    title Time per step (ms)
    "Parse" : 42
    "Render: layout & paint" : 58`,
  ],
  mindmap: [
    `mindmap
  root((Project))
    Goals
      Faster builds
      Fewer bugs
    Risks
      [Budget]
      (Time)
      ))Scope((
    Tools
      id1["TypeScript (strict)"]
      {{Vitest}}`,
    `mindmap
  root)Machine learning(
    Supervised
      Regression
      Classification: SVM, trees
    Unsupervised
      Clustering
      PCA / t-SNE
    Click models`,
    `mindmap
  Root
    学习
      数学
    Style guide
      Naming — “short, clear”`,
  ],
  timeline: [
    `timeline
    title History of the web
    section Early years
    1989 : Proposal
    1991 : First website : First browser
    section Modern
    2008 : HTML5 draft
         : Chrome
    2015 : HTTP/2`,
    `timeline
    2023-Q1 : Research : Interviews
    2023-Q2 : Beta (v0.9)`,
  ],
  journey: [
    `journey
    title My working day
    section Go to work
      Make tea: 5: Me
      Go upstairs: 3: Me
      Do work: 1: Me, Cat
    section Go home
      Click checkout: 4: Me
      Sit down: 5: Me`,
  ],
  gitGraph: [
    `gitGraph
    commit id: "Initial commit"
    branch develop
    checkout develop
    commit
    commit id: "feat: login" tag: "v0.1.0"
    checkout main
    merge develop tag: "v1.0.0"
    commit type: HIGHLIGHT
    branch hotfix/1.0.1 order: 2
    commit
    checkout main
    merge hotfix/1.0.1`,
    `gitGraph LR:
   commit "Ashish"
   branch newbranch
   switch newbranch
   commit id:"1111"
   commit tag:"test"
   switch main
   commit type: REVERSE
   cherry-pick id:"1111"`,
  ],
  quadrant: [
    `quadrantChart
    title Reach and engagement of campaigns
    x-axis Low Reach --> High Reach
    y-axis Low Engagement --> High Engagement
    quadrant-1 We should expand
    quadrant-2 Need to promote
    quadrant-3 Re-evaluate
    quadrant-4 May be improved
    Campaign A: [0.3, 0.6]
    "Campaign B": [0.45, 0.23]`,
  ],
  xychart: [
    `xychart-beta
    title "Sales revenue"
    x-axis [jan, feb, mar, apr, may]
    y-axis "Revenue (in $)" 4000 --> 11000
    bar [5000, 6000, 7500, 8200, 9500]
    line [5000, 6000, 7500, 8200, 9500]`,
    `xychart-beta horizontal
    x-axis "Latency (ms)" 0 --> 250
    y-axis Requests
    line "p99" [1.5, 20, +300, -4]`,
  ],
  other: [
    `sankey-beta
Source,Target,10`,
    `block-beta
    columns 2
    a b`,
  ],
};
