package dev.sro.api.resource;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;

/** Common part of the objects of the group {@link SpecialResource#GROUP}: version, kind and metadata. */
abstract class TopLevelValue extends ResourceValue implements HasMetadata {
    private String apiVersion = SpecialResource.GROUP + "/" + SpecialResource.VERSION;
    private String kind;
    private ObjectMeta metadata = new ObjectMeta();

    TopLevelValue(String kind) {
        this.kind = kind;
    }

    @Override
    public String getApiVersion() {
        return apiVersion;
    }

    @Override
    public void setApiVersion(String apiVersion) {
        this.apiVersion = apiVersion;
    }

    @Override
    public String getKind() {
        return kind;
    }

    /** Sets the kind; there is no reason to. */
    public void setKind(String kind) {
        this.kind = kind;
    }

    @Override
    public ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public void setMetadata(ObjectMeta metadata) {
        this.metadata = metadata;
    }
}
