"""Materials as Blender shader nodes."""

from typing import Any

import bpy
import numpy as np

from calibration.synth.scene import Floats

_MATT = 0.6
"""Roughness above which reflections are left out."""


def rgba(colour: Floats) -> tuple[float, float, float, float]:
    """Convert linear BGR to Blender's RGBA."""
    return (float(colour[2]), float(colour[1]), float(colour[0]), 1.0)


def _new_material(name: str) -> tuple[bpy.types.Material, Any, Any]:
    """Return a new material, its nodes, and the principled shader among them."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes = material.node_tree.nodes
    return material, nodes, nodes["Principled BSDF"]


def _add_grain(material: bpy.types.Material, shader: Any, size: float, depth: float) -> None:
    """Add fine bumps to a shader; `size` in cm."""
    nodes, links = material.node_tree.nodes, material.node_tree.links
    noise, bump, geometry = (nodes.new(f"ShaderNode{n}") for n in ("TexNoise", "Bump", "NewGeometry"))
    noise.inputs["Scale"].default_value = 1 / size
    noise.inputs["Detail"].default_value = 1.0
    bump.inputs["Strength"].default_value = depth
    bump.inputs["Distance"].default_value = size * 0.1
    links.new(geometry.outputs["Position"], noise.inputs["Vector"])
    links.new(noise.outputs[0], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])


def dyed_wood(rng: np.random.Generator) -> bpy.types.Material:
    """Return the cubes' dyed wood; colour and roughness come from the object, grime from the position."""
    material, nodes, shader = _new_material("cube")
    links = material.node_tree.links
    object_info = nodes.new("ShaderNodeObjectInfo")
    links.new(object_info.outputs["Alpha"], shader.inputs["Roughness"])
    noise, mix, geometry, ramp = (
        nodes.new(f"ShaderNode{n}") for n in ("TexNoise", "MixRGB", "NewGeometry", "MapRange")
    )
    noise.inputs["Scale"].default_value = float(rng.uniform(3, 14))
    noise.inputs["Detail"].default_value = 2.0
    links.new(geometry.outputs["Position"], noise.inputs["Vector"])
    links.new(noise.outputs[0], ramp.inputs["Value"])
    ramp.inputs["From Min"].default_value = 0.35
    ramp.inputs["From Max"].default_value = 0.75
    ramp.inputs["To Min"].default_value = 1.0
    ramp.inputs["To Max"].default_value = float(rng.uniform(0.75, 1.0))
    mix.blend_type = "MULTIPLY"
    mix.inputs[0].default_value = 1.0
    links.new(object_info.outputs["Color"], mix.inputs[1])
    links.new(ramp.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], shader.inputs["Base Color"])
    shader.inputs["Specular IOR Level"].default_value = float(rng.uniform(0.2, 0.6))
    return material


def plain_material(name: str, colour: Floats, rough: float, grain: float = 0.0) -> bpy.types.Material:
    """Return a material of one colour; `grain` is the depth of its fine bumps, 0..1."""
    material, _, shader = _new_material(name)
    shader.inputs["Base Color"].default_value = rgba(colour)
    shader.inputs["Roughness"].default_value = rough
    if grain:
        _add_grain(material, shader, 0.06, grain)
    return material


def picture_material(name: str, albedo: Floats, rough: float) -> bpy.types.Material:
    """Return a material with a picture over the UV square, mirrored beyond it."""
    material, nodes, shader = _new_material(name)
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = make_image(name, albedo)
    texture.extension = "MIRROR"
    if rough > _MATT:  # a plain diffuse surface costs half as much as a principled one
        matt = nodes.new("ShaderNodeBsdfDiffuse")
        material.node_tree.links.new(texture.outputs["Color"], matt.inputs["Color"])
        material.node_tree.links.new(matt.outputs[0], nodes["Material Output"].inputs["Surface"])
    else:
        material.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
        shader.inputs["Roughness"].default_value = rough
    return material


def make_image(name: str, linear_bgr: Floats) -> bpy.types.Image:
    """Make a float image of (H, W, 3) linear BGR, top row first."""
    height, width = linear_bgr.shape[:2]
    out = bpy.data.images.new(name, width, height, alpha=False, float_buffer=True)
    out.colorspace_settings.name = "Linear Rec.709"
    pixels = np.ones((height, width, 4), np.float32)
    pixels[..., :3] = linear_bgr[::-1, :, ::-1]
    out.pixels.foreach_set(pixels.ravel())
    out.pack()
    return out


def black_plastic(rng: np.random.Generator) -> bpy.types.Material:
    """Return black plastic, from glossy to matt, sometimes with the fine grain of a mould."""
    ink = rng.uniform(0.006, 0.03) * np.exp(rng.normal(0, 0.06, 3))
    rough = float(rng.choice([rng.uniform(0.08, 0.3), rng.uniform(0.25, 0.6)]))
    return plain_material(
        "plastic", ink.astype(np.float32), rough, float(rng.choice([0.0, rng.uniform(0.05, 0.5)]))
    )


def clear_plastic(rng: np.random.Generator) -> bpy.types.Material:
    """Return clear plastic: refracts what the camera sees, but lets lamplight straight through, dimmed."""
    material, nodes, shader = _new_material("clear")
    nodes.remove(shader)
    links = material.node_tree.links
    glass, through, mix, path, either = (
        nodes.new(f"ShaderNode{n}")
        for n in ("BsdfGlass", "BsdfTransparent", "MixShader", "LightPath", "Math")
    )
    tint = rng.uniform(0.96, 1.0) * np.exp(rng.normal(0, 0.01, 3))
    glass.inputs["Color"].default_value = rgba(np.minimum(tint, 1))
    glass.inputs["Roughness"].default_value = float(rng.choice([0.0, rng.uniform(0.0, 0.12)]))
    glass.inputs["IOR"].default_value = float(rng.uniform(1.45, 1.58))
    through.inputs["Color"].default_value = rgba(np.full(3, rng.uniform(0.72, 0.96), np.float32))
    either.operation = "MAXIMUM"
    links.new(path.outputs["Is Shadow Ray"], either.inputs[0])
    links.new(path.outputs["Is Diffuse Ray"], either.inputs[1])
    links.new(either.outputs[0], mix.inputs[0])
    links.new(glass.outputs[0], mix.inputs[1])
    links.new(through.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], nodes["Material Output"].inputs["Surface"])
    return material
