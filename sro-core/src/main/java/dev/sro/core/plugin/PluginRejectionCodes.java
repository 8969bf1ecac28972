package dev.sro.core.plugin;

/** The codes of {@link PluginRejection}: stable CamelCase words, explained in docs/reference/plugin-loading.md. */
public final class PluginRejectionCodes {

    /** The plugin directory cannot be listed. */
    public static final String DIRECTORY_UNREADABLE = "PluginDirectoryUnreadable";
    /** The file is not a complete jar or zip, or cannot be read. */
    public static final String FILE_UNREADABLE = "PluginFileUnreadable";
    /** An entry would be written outside of the plugin's directory, or the content is absurdly large. */
    public static final String ARCHIVE_UNSAFE = "PluginArchiveUnsafe";
    /** There is an allow list, and the digest of the file is not on it. */
    public static final String NOT_ALLOWED = "PluginNotAllowed";
    /** There is a signature beside the file, and it is not one of the file by a known key. */
    public static final String SIGNATURE_INVALID = "PluginSignatureInvalid";
    /** What says which files may be loaded cannot be read. */
    public static final String TRUST_UNREADABLE = "PluginTrustUnreadable";
    /** The list of digests in the directory has another one for the file. */
    public static final String DIGEST_MISMATCH = "PluginDigestMismatch";
    /** Neither the manifest nor plugin.properties names a plugin id. */
    public static final String DESCRIPTOR_MISSING = "PluginDescriptorMissing";
    /** A field of the descriptor is missing or malformed. */
    public static final String DESCRIPTOR_INVALID = "PluginDescriptorInvalid";
    /** {@code Plugin-Requires} excludes this version of SRO. */
    public static final String VERSION_UNSUPPORTED = "PluginVersionUnsupported";
    /** Another file with the same plugin id was taken. */
    public static final String DUPLICATE_ID = "PluginIdDuplicate";
    /** An {@code AcceleratorPlugin} with the same name was taken. */
    public static final String DUPLICATE_NAME = "PluginNameDuplicate";
    /** A plugin that this one depends on is not there, or in a version that does not fit. */
    public static final String DEPENDENCY_MISSING = "PluginDependencyMissing";
    /** A plugin that this one depends on was rejected itself. */
    public static final String DEPENDENCY_REJECTED = "PluginDependencyRejected";
    /** Plugins depend on each other in a circle. */
    public static final String DEPENDENCY_CYCLE = "PluginDependencyCycle";
    /** The file names no {@code AcceleratorPlugin}, and no other plugin depends on it. */
    public static final String NO_ACCELERATOR_PLUGIN = "NoAcceleratorPlugin";
    /** A class that the plugin needs is missing or does not fit. */
    public static final String CLASS_MISSING = "PluginClassMissing";
    /** A class that the plugin names as provider cannot be one. */
    public static final String PROVIDER_INVALID = "PluginProviderInvalid";
    /** Code of the plugin threw while it was loaded. */
    public static final String FAILED = "PluginFailed";
    /** Code of the plugin did not return in time while it was loaded. */
    public static final String TIMED_OUT = "PluginTimeout";

    private PluginRejectionCodes() {}
}
