package dev.sro.runtime.bundle.check;

import java.util.Locale;

/** What is asked of a bundle; docs/reference/bundle.md says it in words. */
enum BundleRule {
    NO_MANIFESTS(true),
    NO_METADATA(true),
    NOT_YAML(true),
    NOT_ONE_OBJECT(true),
    NOT_ONE_CSV(true),
    KIND_NOT_ALLOWED(true),
    DUPLICATE_OBJECT(true),
    TOO_LARGE(true),
    NEARLY_TOO_LARGE(false),
    DOCKERFILE_DIFFERS(true),

    ANNOTATION_MISSING(true),
    ANNOTATION_VALUE(true),
    DEFAULT_CHANNEL_MISSING(false),
    DEFAULT_CHANNEL_UNKNOWN(true),
    CHANNEL_NAME(false),
    OPENSHIFT_VERSIONS(true),
    KUBE_VERSION_TOO_NEW(true),

    FIELD_MISSING(true),
    NAME_INVALID(true),
    NAME_FORM(false),
    VERSION_INVALID(true),
    KUBE_VERSION_MISSING(false),
    KUBE_VERSION_INVALID(true),
    UPDATE_LOOP(true),
    SKIP_RANGE_INVALID(true),
    SKIP_RANGE_ALONE(false),

    INSTALL_STRATEGY(true),
    NO_DEPLOYMENT(true),
    INSTALL_MODES(true),
    SERVICE_ACCOUNT(true),
    REQUESTS_MISSING(false),
    WEBHOOK_INVALID(true),

    CRD_INVALID(true),
    OWNED_WITHOUT_CRD(true),
    CRD_NOT_OWNED(true),
    API_WITHOUT_DESCRIPTION(false),
    EXAMPLES_MISSING(false),
    EXAMPLES_INVALID(true),
    EXAMPLE_NOT_OWNED(true),
    API_WITHOUT_EXAMPLE(false),
    EXAMPLE_REFUSED(true),
    EXAMPLE_UNKNOWN_FIELD(false),
    EXAMPLE_WITHOUT_SPEC(false),
    API_WITHOUT_RESOURCES(false),
    DESCRIPTOR_MISSING(false),

    IMAGE_INVALID(true),
    IMAGE_TWICE(true),
    IMAGE_WITHOUT_DIGEST(false),
    IMAGE_NOT_RELATED(false),

    DISPLAY_NAME(false),
    DESCRIPTION_SHORT(false),
    PROVIDER(true),
    PROVIDER_SHORT(false),
    MAINTAINER_INVALID(true),
    MAINTAINER_MISSING(false),
    LINK_INVALID(true),
    LINK_MISSING(false),
    ICON_MISSING(false),
    ICON_INVALID(true),
    CAPABILITIES(true),
    CATEGORIES(true),
    CATALOGUE_TEXT_MISSING(false),
    CREATED_AT(true),
    FEATURE_VALUE(true),
    PLATFORM_LABEL(true),
    ANNOTATION_CASE(true),
    PROPERTIES_ANNOTATION(false),

    DISRUPTION_BUDGET(true),
    PRIORITY_DEFAULT(true),
    RIGHTS_TO_BUDGETS(false),
    RIGHTS_TO_DEFAULT_SCC(true),
    RIGHTS_TO_CRDS(false),
    API_DEPRECATED(false),
    API_REMOVED(true),

    SCORECARD_INVALID(true);

    private final boolean error;

    BundleRule(boolean error) {
        this.error = error;
    }

    boolean isError() {
        return error;
    }

    /** As findings and documentation write it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
