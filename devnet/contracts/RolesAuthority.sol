// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Decides who may call a function of a contract: by role, or as a public capability.
contract RolesAuthority {
    event UserRoleUpdated(address indexed user, uint8 indexed role, bool enabled);
    event PublicCapabilityUpdated(address indexed target, bytes4 indexed functionSig, bool enabled);
    event RoleCapabilityUpdated(
        uint8 indexed role,
        address indexed target,
        bytes4 indexed functionSig,
        bool enabled
    );

    address public owner;
    mapping(address user => bytes32 roles) public getUserRoles;
    mapping(address target => mapping(bytes4 functionSig => bool)) public isCapabilityPublic;
    mapping(address target => mapping(bytes4 functionSig => bytes32 roles)) public getRolesWithCapability;

    constructor(address owner_) {
        owner = owner_;
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "UNAUTHORIZED");
        _;
    }

    function canCall(address user, address target, bytes4 functionSig) external view returns (bool) {
        return
            isCapabilityPublic[target][functionSig] ||
            getUserRoles[user] & getRolesWithCapability[target][functionSig] != 0;
    }

    function setPublicCapability(address target, bytes4 functionSig, bool enabled) external onlyOwner {
        isCapabilityPublic[target][functionSig] = enabled;
        emit PublicCapabilityUpdated(target, functionSig, enabled);
    }

    function setRoleCapability(
        uint8 role,
        address target,
        bytes4 functionSig,
        bool enabled
    ) external onlyOwner {
        bytes32 bit = bytes32(1 << role);
        if (enabled) getRolesWithCapability[target][functionSig] |= bit;
        else getRolesWithCapability[target][functionSig] &= ~bit;
        emit RoleCapabilityUpdated(role, target, functionSig, enabled);
    }

    function setUserRole(address user, uint8 role, bool enabled) external onlyOwner {
        bytes32 bit = bytes32(1 << role);
        if (enabled) getUserRoles[user] |= bit;
        else getUserRoles[user] &= ~bit;
        emit UserRoleUpdated(user, role, enabled);
    }
}
