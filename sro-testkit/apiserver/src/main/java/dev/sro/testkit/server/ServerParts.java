package dev.sro.testkit.server;

import dev.sro.testkit.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The parts of one server, wired together. */
final class ServerParts {
    final VirtualClock clock;
    final Store store;
    final ResourceRegistry registry;
    final Ids ids;
    final RuleBook rules;
    final Writer writer;
    final Deleter deleter;
    final Reader reader;
    final Answers answers;
    final CustomTypes customTypes;
    final Authorizer authorizer;
    final AccountTokens tokens;
    final Authentication authentication;
    final Admission admission;
    final NamespaceQuotas quotas;
    final WebhookClient webhooks;
    volatile Duration namespaceGrace = Duration.ZERO;
    final ReviewedWrites writes;
    /** Who knows what containers print. */
    final List<Controller> printers = new CopyOnWriteArrayList<>();

    ServerParts(VirtualClock clock, ResourceRegistry registry, long seed, int window) {
        this.clock = clock;
        this.registry = registry;
        this.store = new Store(window);
        this.ids = new Ids(seed);
        this.rules = new RuleBook(new KindHooks(ids, store, clock::instant));
        this.quotas = new NamespaceQuotas(store, clock::instant);
        AdmissionMatcher matcher = new AdmissionMatcher(store, registry);
        this.authorizer = new Authorizer(store);
        this.tokens = new AccountTokens(store, clock::instant);
        this.authentication = new Authentication(tokens, authorizer);
        AdmissionQuestions questions = new AdmissionQuestions(authorizer);
        WebhookAdmission hooks = new WebhookAdmission(store, ids, matcher, questions);
        PolicyAdmission policies = new PolicyAdmission(new PolicyInvocations(
                store, registry, matcher, questions, PolicyAdmission.POLICIES, PolicyAdmission.BINDINGS));
        MutatingPolicies mutations = new MutatingPolicies(new PolicyInvocations(
                store, registry, matcher, questions, MutatingPolicies.POLICIES, MutatingPolicies.BINDINGS));
        this.admission = new GrantAdmission(
                new PluginAdmission(
                        List.of(
                                new LimitAdmission(store),
                                new PriorityAdmission(store),
                                new PodSecurityAdmission(store)),
                        new AdmissionChain(new NamespaceAdmission(store), mutations, hooks, policies),
                        List.of(new QuotaAdmission(quotas))),
                authorizer,
                store);
        this.webhooks = new WebhookClient(store);
        this.writes = new ReviewedWrites(store, ids, mutations, hooks, policies, webhooks);
        this.writer = new Writer(store, clock, ids, rules::of, admission);
        this.deleter = new Deleter(store, clock, rules::of, admission);
        this.reader = new Reader(store);
        this.customTypes = new CustomTypes(registry, rules, store);
        this.answers = new Answers(customTypes, clock);
    }

    List<String> selectableFields(ResourceType type) {
        return type.custom() ? customTypes.selectableFields(type) : List.of();
    }
}
