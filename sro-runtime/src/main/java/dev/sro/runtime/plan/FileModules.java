package dev.sro.runtime.plan;

import dev.sro.api.resource.ModuleWatch;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceModule;
import dev.sro.api.resource.SpecialResourceModuleSpec;
import dev.sro.api.resource.SpecialResourceModuleStatus;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.client.router.ClusterCaches;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.model.Codec;
import dev.sro.core.module.AssumedVersions;
import dev.sro.core.module.DesiredModules;
import dev.sro.core.module.ModuleReconciler;
import dev.sro.core.module.ModuleStore;
import dev.sro.core.recipe.ChartRecipes;
import dev.sro.runtime.CrdCommand;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Modules of files, for kernels in place of the versions that they watch. Confined to one thread. */
final class FileModules implements ModuleStore {

    static final String KIND_KEY =
            SpecialResource.GROUP + "/" + SpecialResource.VERSION + "/" + SpecialResourceModule.KIND;

    /** The first fetches the chart. */
    private static final int MAX_TRIPS = 4;

    private final Map<String, SpecialResourceModule> modules = new LinkedHashMap<>();
    private final ModuleReconciler reconciler;

    FileModules(
            List<Document> documents,
            Map<String, String> kernels,
            FileCluster cluster,
            ChartRecipes charts,
            Codec codec,
            Clock clock) {
        ResourceSchema schema = ResourceSchema.load(CrdCommand.MODULES);
        for (Document document : documents) {
            schema.check(document).forEach(cluster::warn);
            SpecialResourceModule module = document.as(SpecialResourceModule.class, codec);
            if (module.getMetadata().getUid() == null) {
                module.getMetadata().setUid(SpecialResources.NO_UID);
            }
            modules.put(module.getMetadata().getName(), module);
        }
        ClusterCaches caches = cluster.caches();
        DesiredModules desires = new DesiredModules(this, caches, charts, new AssumedVersions(kernels), codec);
        this.reconciler = new ModuleReconciler(this, caches, new NoWriter(), caches, desires, clock);
    }

    List<PreviewedResource> previews() {
        return modules.values().stream().map(this::preview).toList();
    }

    private PreviewedResource preview(SpecialResourceModule module) {
        Preview preview = reconciler.preview(module);
        for (int i = 1; i < MAX_TRIPS && preview.obstacle().isPresent(); i++) {
            preview = reconciler.preview(module);
        }
        return new PreviewedResource(shown(module), preview, Optional.empty(), "");
    }

    /** With what the commands print of a special resource. */
    private static SpecialResource shown(SpecialResourceModule module) {
        SpecialResource resource = new SpecialResource();
        resource.setKind(SpecialResourceModule.KIND);
        resource.setMetadata(new ObjectMetaBuilder(module.getMetadata()).build());
        SpecialResourceSpec spec = new SpecialResourceSpec();
        SpecialResourceModuleSpec own = module.getSpec();
        if (own != null) {
            spec.setNamespace(own.getNamespace());
            spec.setChart(own.getChart());
        }
        resource.setSpec(spec);
        return resource;
    }

    @Override
    public Optional<SpecialResourceModule> find(String name) {
        return Optional.ofNullable(modules.get(name));
    }

    @Override
    public Collection<SpecialResourceModule> all() {
        return modules.values();
    }

    @Override
    public Observed observed(ModuleWatch watch) {
        return new Observed(List.of(), Optional.empty());
    }

    @Override
    public void writeStatus(SpecialResourceModule module, SpecialResourceModuleStatus status) {
        throw new IllegalStateException("a preview writes nothing");
    }
}
